//! The little of the driver that the tests need.

use std::ffi::{c_int, c_void};

use libloading::{Library, Symbol};

use crate::functions::Handle;

/// A device, which is the thread's from then on.
pub(crate) struct Gpu {
    cuda: Library,
}

impl Gpu {
    pub(crate) fn open(ordinal: c_int) -> Self {
        // SAFETY: the emulated driver's initialisers do nothing.
        let cuda = unsafe { Library::new("libcuda.so.1") }.expect("the driver is in the path");
        let gpu = Self { cuda };
        gpu.call("cuInit", |init: Symbol<'_, unsafe extern "C" fn(u32) -> c_int>| {
            // SAFETY: the call has no pointers.
            unsafe { init(0) }
        });
        gpu.choose(ordinal);
        gpu
    }

    pub(crate) fn choose(&self, ordinal: c_int) {
        let mut context: Handle = std::ptr::null_mut();
        type Retain = unsafe extern "C" fn(*mut Handle, c_int) -> c_int;
        self.call("cuDevicePrimaryCtxRetain", |retain: Symbol<'_, Retain>| {
            // SAFETY: an address for a handle.
            unsafe { retain(&mut context, ordinal) }
        });
        self.call("cuCtxSetCurrent", |set: Symbol<'_, unsafe extern "C" fn(Handle) -> c_int>| {
            // SAFETY: a handle of the driver's.
            unsafe { set(context) }
        });
    }

    #[track_caller]
    fn call<F>(&self, name: &str, call: impl FnOnce(Symbol<'_, F>) -> c_int) {
        // SAFETY: each caller in this file gives the type that `cuda.h` has.
        let function = unsafe { self.cuda.get(name.as_bytes()) }.expect(name);
        assert_eq!(call(function), 0, "{name}");
    }

    pub(crate) fn stream(&self) -> Handle {
        let mut stream = std::ptr::null_mut();
        type Create = unsafe extern "C" fn(*mut Handle, u32) -> c_int;
        self.call("cuStreamCreate", |create: Symbol<'_, Create>| {
            // SAFETY: an address for a handle. The stream doesn't wait for the default one.
            unsafe { create(&mut stream, 1) }
        });
        stream
    }

    pub(crate) fn alloc(&self, bytes: usize) -> u64 {
        let mut address = 0;
        type Alloc = unsafe extern "C" fn(*mut u64, usize) -> c_int;
        self.call("cuMemAlloc_v2", |alloc: Symbol<'_, Alloc>| {
            // SAFETY: an address for an address.
            unsafe { alloc(&mut address, bytes) }
        });
        address
    }

    pub(crate) fn upload<T: Copy>(&self, values: &[T]) -> u64 {
        let address = self.alloc(size_of_val(values).max(1));
        self.write(address, values, std::ptr::null_mut());
        self.synchronize(std::ptr::null_mut());
        address
    }

    /// In the stream's order.
    pub(crate) fn write<T: Copy>(&self, to: u64, values: &[T], stream: Handle) {
        type Copy = unsafe extern "C" fn(u64, *const c_void, usize, Handle) -> c_int;
        self.call("cuMemcpyHtoDAsync_v2", |copy: Symbol<'_, Copy>| {
            // SAFETY: memory that isn't pinned is read before the call returns.
            unsafe { copy(to, values.as_ptr().cast(), size_of_val(values), stream) }
        });
    }

    /// In the stream's order, which it waits for.
    pub(crate) fn read<T: Copy + Default>(&self, from: u64, count: usize, stream: Handle) -> Vec<T> {
        let mut values = vec![T::default(); count];
        type Copy = unsafe extern "C" fn(*mut c_void, u64, usize, Handle) -> c_int;
        self.call("cuMemcpyDtoHAsync_v2", |copy: Symbol<'_, Copy>| {
            // SAFETY: a copy to memory that isn't pinned is done when the call returns.
            unsafe { copy(values.as_mut_ptr().cast(), from, size_of_val(&values[..]), stream) }
        });
        values
    }

    pub(crate) fn synchronize(&self, stream: Handle) {
        self.call("cuStreamSynchronize", |wait: Symbol<'_, unsafe extern "C" fn(Handle) -> c_int>| {
            // SAFETY: a handle of the driver's.
            unsafe { wait(stream) }
        });
    }
}
