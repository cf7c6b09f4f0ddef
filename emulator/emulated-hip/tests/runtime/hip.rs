//! What most tests begin with: the library's functions, and how they are called.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};

use libloading::Library;

pub(crate) const KERNELS: &[u8] = include_bytes!("fixtures/kernels.gfx1100.hsaco");
pub(crate) const KERNELS_OF_64: &[u8] = include_bytes!("fixtures/kernels.gfx942.hsaco");

pub(crate) const OK: c_int = 0;
pub(crate) const INVALID_VALUE: c_int = 1;
pub(crate) const OUT_OF_MEMORY: c_int = 2;
pub(crate) const INVALID_CONFIGURATION: c_int = 9;
pub(crate) const NO_DEVICE: c_int = 100;
pub(crate) const INVALID_DEVICE: c_int = 101;
pub(crate) const INVALID_IMAGE: c_int = 200;
pub(crate) const NO_BINARY_FOR_GPU: c_int = 209;
pub(crate) const INVALID_HANDLE: c_int = 400;
pub(crate) const NOT_FOUND: c_int = 500;
pub(crate) const NOT_READY: c_int = 600;
pub(crate) const ILLEGAL_ADDRESS: c_int = 700;
pub(crate) const LAUNCH_TIMEOUT: c_int = 702;
pub(crate) const LAUNCH_FAILURE: c_int = 719;
pub(crate) const NOT_SUPPORTED: c_int = 801;

/// A handle: opaque.
pub(crate) type Handle = *mut c_void;
pub(crate) const NULL: Handle = std::ptr::null_mut();

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    // SAFETY: its initialisers do nothing.
    LIBRARY.get_or_init(|| unsafe { Library::new("libamdhip64.so.7") }.expect("`alone` lays it out"))
}

/// The address of a function.
pub(crate) fn find(name: &str) -> *const c_void {
    // SAFETY: the symbol is only looked up.
    let found = unsafe { library().get::<*const c_void>(name.as_bytes()) };
    *found.unwrap_or_else(|error| panic!("{error}"))
}

/// Calls a function of the library. Arguments are numbers and pointers, with the types that `hip_runtime_api.h` has, and the answer is a status.
macro_rules! hip {
    ($name:ident($($argument:expr => $ty:ty),* $(,)?)) => {{
        let address = $crate::hip::find(stringify!($name));
        // SAFETY: the types are those of `hip_runtime_api.h`.
        let function: unsafe extern "C" fn($($ty),*) -> ::std::ffi::c_int = unsafe { ::std::mem::transmute(address) };
        // SAFETY: pointers are to what the test has, and is of these types.
        unsafe { function($($argument),*) }
    }};
}
pub(crate) use hip;

/// The name of a status.
pub(crate) fn name(status: c_int) -> String {
    // SAFETY: the type is that of `hip_runtime_api.h`.
    let function: unsafe extern "C" fn(c_int) -> *const c_char =
        unsafe { std::mem::transmute(find("hipGetErrorName")) };
    // SAFETY: it gives a text with a zero behind it.
    unsafe { CStr::from_ptr(function(status)) }.to_string_lossy().into_owned()
}

/// # Panics
/// If the status isn't success.
#[track_caller]
pub(crate) fn check(status: c_int) {
    assert_eq!(status, OK, "{}", name(status));
}

pub(crate) fn malloc(bytes: usize) -> u64 {
    let mut address = 0;
    check(hip!(hipMalloc(&raw mut address => *mut u64, bytes => usize)));
    address
}

pub(crate) fn pinned(bytes: usize) -> u64 {
    let mut address = 0;
    check(hip!(hipHostMalloc(&raw mut address => *mut u64, bytes => usize, 0 => c_uint)));
    address
}

/// Words on the device.
pub(crate) fn upload(words: &[u32]) -> u64 {
    let address = malloc(size_of_val(words));
    check(hip!(hipMemcpyHtoD(address => u64, words.as_ptr() => *const u32, size_of_val(words) => usize)));
    address
}

pub(crate) fn download(address: u64, count: usize) -> Vec<u32> {
    let mut words = vec![0_u32; count];
    check(hip!(hipMemcpyDtoH(words.as_mut_ptr() => *mut u32, address => u64, 4 * count => usize)));
    words
}

pub(crate) fn stream() -> Handle {
    let mut stream = NULL;
    check(hip!(hipStreamCreateWithFlags(&raw mut stream => *mut Handle, 1 => c_uint)));
    stream
}

pub(crate) fn event() -> Handle {
    let mut event = NULL;
    check(hip!(hipEventCreateWithFlags(&raw mut event => *mut Handle, 2 => c_uint)));
    event
}

pub(crate) fn record(event: Handle, stream: Handle) {
    check(hip!(hipEventRecord(event => Handle, stream => Handle)));
}

pub(crate) fn wait_for(stream: Handle, event: Handle) {
    check(hip!(hipStreamWaitEvent(stream => Handle, event => Handle, 0 => c_uint)));
}

pub(crate) fn synchronize() -> c_int {
    hip!(hipDeviceSynchronize())
}

pub(crate) fn load(image: &[u8]) -> Result<Handle, c_int> {
    let mut module = NULL;
    match hip!(hipModuleLoadData(&raw mut module => *mut Handle, image.as_ptr() => *const u8)) {
        OK => Ok(module),
        error => Err(error),
    }
}

pub(crate) fn function(module: Handle, name: &str) -> Result<Handle, c_int> {
    let name = CString::new(name).expect("names have no zeros");
    let mut function = NULL;
    let found = hip!(hipModuleGetFunction(
        &raw mut function => *mut Handle, module => Handle, name.as_ptr() => *const c_char
    ));
    if found == OK { Ok(function) } else { Err(found) }
}

/// A kernel of the fixture.
pub(crate) fn kernel(name: &str) -> Handle {
    function(load(KERNELS).expect("it is for the device"), name).expect("the fixture has it")
}

/// Where a global variable is, and its bytes.
pub(crate) fn global(module: Handle, name: &str) -> Result<(u64, usize), c_int> {
    let name = CString::new(name).expect("names have no zeros");
    let (mut address, mut bytes) = (0, 0);
    let found = hip!(hipModuleGetGlobal(
        &raw mut address => *mut u64, &raw mut bytes => *mut usize, module => Handle, name.as_ptr() => *const c_char
    ));
    if found == OK { Ok((address, bytes)) } else { Err(found) }
}

/// Launches a kernel in one dimension, with arguments of 64 bits or, in the low half, of 32.
pub(crate) fn launch(
    function: Handle,
    grid: u32,
    block: u32,
    shared: u32,
    stream: Handle,
    arguments: &[u64],
) -> c_int {
    let mut addresses: Vec<_> =
        arguments.iter().map(|argument| std::ptr::from_ref(argument).cast::<c_void>()).collect();
    hip!(hipModuleLaunchKernel(
        function => Handle, grid => c_uint, 1 => c_uint, 1 => c_uint, block => c_uint, 1 => c_uint, 1 => c_uint,
        shared => c_uint, stream => Handle, addresses.as_mut_ptr() => *mut *const c_void, NULL => Handle
    ))
}

/// Holds a stream until it is dropped, or `open` is called.
pub(crate) struct Gate(Option<Sender<()>>);

impl Gate {
    pub(crate) fn close(stream: Handle) -> Self {
        unsafe extern "C" fn wait(receiver: *mut c_void) {
            // SAFETY: made by `into_raw` below, for this one call.
            let receiver = unsafe { Box::from_raw(receiver.cast::<Receiver<()>>()) };
            // It is over when the other end is gone.
            let _ = receiver.recv();
        }
        let (sender, receiver) = channel::<()>();
        let receiver = Box::into_raw(Box::new(receiver)).cast::<c_void>();
        check(hip!(hipLaunchHostFunc(
            stream => Handle, wait => unsafe extern "C" fn(*mut c_void), receiver => *mut c_void
        )));
        Self(Some(sender))
    }

    pub(crate) fn open(mut self) {
        self.0 = None;
    }
}
