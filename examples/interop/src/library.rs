//! The C functions. A failed one returns null, or false, and `gridwright_error` has the text.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use gridwright::dlpack::{SharedTensor, Tensor, VersionedTensor, export};
use gridwright::prelude::*;

use crate::kernels::{count, scale};

/// The device that `GRIDWRIGHT_DEVICE` names, with a stream, opened once.
fn stream() -> Result<Stream, gridwright::Error> {
    static STREAM: OnceLock<Stream> = OnceLock::new();
    if let Some(stream) = STREAM.get() {
        return Ok(stream.clone());
    }
    let stream = Device::from_env()?.stream()?;
    Ok(STREAM.get_or_init(|| stream).clone())
}

thread_local! {
    /// The text of the thread's last error.
    static ERROR: RefCell<CString> = RefCell::default();
}

fn keep<R>(result: Result<R, gridwright::Error>) -> Option<R> {
    let said = |error: gridwright::Error| {
        // A zero can't stand in a C string.
        let text = CString::new(error.to_string().replace('\0', " ")).unwrap_or_default();
        ERROR.with(|last| last.replace(text));
    };
    result.map_err(said).ok()
}

/// The text of this thread's last error, until its next one.
#[unsafe(no_mangle)]
pub extern "C" fn gridwright_error() -> *const c_char {
    ERROR.with(|last| last.borrow().as_ptr())
}

/// A new array of the numbers from zero on, in memory of the device.
#[unsafe(no_mangle)]
pub extern "C" fn gridwright_arange(len: usize) -> *mut SharedTensor {
    let made = stream().and_then(|stream| {
        let mut numbers = stream.alloc_zeroed(len)?;
        if len > 0 {
            count::load(stream.device())?.launch(&stream, LaunchConfig::threads(len), (&mut numbers,))?;
        }
        // Waits for the kernel.
        Ok(SharedTensor::new(export(numbers)?))
    });
    keep(made).map_or(null_mut(), |shared| Box::into_raw(Box::new(shared)))
}

/// The array as a tensor of DLPack 1, for the capsule `dltensor_versioned`. Who gets it deletes it.
///
/// # Safety
/// `array` is of [`gridwright_arange`], and wasn't dropped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_hand_out(array: *const SharedTensor) -> *mut VersionedTensor {
    // SAFETY: the caller says that it is an array that is there.
    unsafe { array.as_ref() }.map_or(null_mut(), SharedTensor::to_raw_versioned)
}

/// The address of the array's first element, on its device: for `__cuda_array_interface__`.
///
/// # Safety
/// As for [`gridwright_hand_out`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_address(array: *const SharedTensor) -> *const c_void {
    // SAFETY: the caller says that it is an array that is there.
    unsafe { array.as_ref() }.map_or(null(), SharedTensor::as_ptr)
}

/// Where the array lies: DLPack's kind of the device, and its index.
///
/// # Safety
/// As for [`gridwright_hand_out`]. There is room for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_place(array: *const SharedTensor, place: *mut [i32; 2]) {
    // SAFETY: the caller says that it is an array that is there, and that there is room.
    if let (Some(array), Some(place)) = unsafe { (array.as_ref(), place.as_mut()) } {
        *place = [array.device().kind, array.device().index];
    }
}

/// Gives the array up. What it was handed out as has its elements on.
///
/// # Safety
/// It is of [`gridwright_arange`], and isn't used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_drop(array: *mut SharedTensor) {
    if !array.is_null() {
        // SAFETY: of a box, by `gridwright_arange`, and dropped once.
        drop(unsafe { Box::from_raw(array) });
    }
}

// ANCHOR: scale
/// Multiplies the elements of anybody's tensor where they are, waits, and deletes the tensor: true if it could be done.
///
/// # Safety
/// It is null or a tensor, as [`Tensor::from_raw_versioned`] asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridwright_scale(tensor: *mut VersionedTensor, by: f32) -> bool {
    // SAFETY: the caller says so.
    let scaled = unsafe { Tensor::from_raw_versioned(tensor) }.and_then(|tensor| {
        let stream = stream()?;
        let mut x: Buffer<f32> = tensor.import(&stream)?;
        if x.is_empty() {
            return Ok(());
        }
        scale::load(stream.device())?.launch(&stream, LaunchConfig::threads(x.len()), (by, &mut x))?;
        stream.synchronize()
    });
    keep(scaled).is_some()
}
// ANCHOR_END: scale
