//! The driver that the process has: those of its functions that this library calls.

use std::error::Error as _;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use crate::error::{Code, Error};

/// The driver as programs load it. The process has it already: it has a device of its.
const NAME: &str = "libcuda.so.1";

const NOT_READY: c_int = 600;
const DISABLE_TIMING: c_uint = 2;
const MEMORY_TYPE: c_int = 2;
const DEVICE_ORDINAL: c_int = 9;
const RANGE_START: c_int = 11;
const RANGE_BYTES: c_int = 12;
/// `CU_MEMORYTYPE_DEVICE`.
const DEVICE: c_uint = 2;

/// A handle of the driver's: a context, stream or event.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(*mut c_void);

// SAFETY: nobody reads what it points to but the driver, whose functions take any thread.
unsafe impl Send for Handle {}
// SAFETY: nobody reads what it points to but the driver, whose functions take any thread.
unsafe impl Sync for Handle {}

impl Handle {
    pub(crate) const NULL: Self = Self(std::ptr::null_mut());
}

pub(crate) type HostFunction = unsafe extern "C" fn(*mut c_void);

macro_rules! table {
    ($($field:ident: $name:literal ($($argument:ty),*);)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Functions {
            fn find(library: &libloading::Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: functions of `cuda.h` with its types; the library stays loaded.
                    $($field: *unsafe { library.get(concat!($name, "\0").as_bytes()) }?,)*
                })
            }
        }
    };
}

table! {
    init: "cuInit" (c_uint);
    error_name: "cuGetErrorName" (c_int, *mut *const c_char);
    current: "cuCtxGetCurrent" (*mut Handle);
    current_device: "cuCtxGetDevice" (*mut c_int);
    push: "cuCtxPushCurrent_v2" (Handle);
    pop: "cuCtxPopCurrent_v2" (*mut Handle);
    retain: "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    uuid: "cuDeviceGetUuid_v2" (*mut [u8; 16], c_int);
    stream_context: "cuStreamGetCtx" (Handle, *mut Handle);
    pointer: "cuPointerGetAttribute" (*mut c_void, c_int, u64);
    alloc_host: "cuMemAllocHost_v2" (*mut *mut u8, usize);
    free_host: "cuMemFreeHost" (*mut u8);
    to_host: "cuMemcpyDtoHAsync_v2" (*mut u8, u64, usize, Handle);
    to_device: "cuMemcpyHtoDAsync_v2" (u64, *const u8, usize, Handle);
    launch_host: "cuLaunchHostFunc" (Handle, HostFunction, *mut c_void);
    event_create: "cuEventCreate" (*mut Handle, c_uint);
    event_destroy: "cuEventDestroy_v2" (Handle);
    event_record: "cuEventRecord" (Handle, Handle);
    event_query: "cuEventQuery" (Handle);
    event_synchronize: "cuEventSynchronize" (Handle);
    wait_event: "cuStreamWaitEvent" (Handle, Handle, c_uint);
}

pub(crate) struct Cuda {
    functions: Functions,
}

/// The driver, started.
///
/// # Errors
/// If there is none, or it has no device.
pub(crate) fn cuda() -> Result<&'static Cuda, Error> {
    static CUDA: OnceLock<Result<Cuda, Error>> = OnceLock::new();
    CUDA.get_or_init(Cuda::load).as_ref().map_err(Clone::clone)
}

/// Pinned memory of the host. Whoever has it frees it, with [`Cuda::free`].
#[derive(Debug)]
pub(crate) struct Pinned {
    address: *mut u8,
    bytes: usize,
}

// SAFETY: memory of its own, which threads give each other with the value.
unsafe impl Send for Pinned {}

impl Pinned {
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: allocated with so many bytes, and the driver's copies of them aren't under way: the stream's order says so.
        unsafe { std::slice::from_raw_parts(self.address, self.bytes) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        if self.bytes == 0 {
            return &mut [];
        }
        // SAFETY: allocated with so many bytes, borrowed exclusively, and no copy is under way: the stream's order says so.
        unsafe { std::slice::from_raw_parts_mut(self.address, self.bytes) }
    }
}

impl Cuda {
    fn load() -> Result<Self, Error> {
        let missing = |error: libloading::Error| {
            let said = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Error::new(Code::Cuda, format!("{NAME}: {said}"))
        };
        // SAFETY: a driver's initialisers do what a program that loads it has them do.
        let library = unsafe { libloading::Library::new(NAME) }.map_err(missing)?;
        let cuda = Self { functions: Functions::find(&library).map_err(missing)? };
        // Never unloaded: its functions are called for as long as the process lives.
        std::mem::forget(library);
        // SAFETY: the call has no pointers.
        cuda.check("cuInit", unsafe { (cuda.functions.init)(0) })?;
        Ok(cuda)
    }

    fn check(&self, call: &str, status: c_int) -> Result<(), Error> {
        if status == 0 {
            return Ok(());
        }
        let mut name = std::ptr::null();
        // SAFETY: an address for a text.
        let is_known = unsafe { (self.functions.error_name)(status, &mut name) } == 0 && !name.is_null();
        let name = if is_known {
            // SAFETY: the driver's texts end with a zero and are never freed.
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        } else {
            status.to_string()
        };
        Err(Error::new(Code::Cuda, format!("{call}: {name}")))
    }

    /// The thread's context, or the first device's where it has none, as CUDA's runtime chooses.
    pub(crate) fn context(&self) -> Result<Handle, Error> {
        let mut context = Handle::NULL;
        // SAFETY: an address for a handle.
        self.check("cuCtxGetCurrent", unsafe { (self.functions.current)(&mut context) })?;
        if context == Handle::NULL {
            // SAFETY: an address for a handle. The context is kept for as long as the process lives, as the runtime does.
            self.check("cuDevicePrimaryCtxRetain", unsafe { (self.functions.retain)(&mut context, 0) })?;
        }
        Ok(context)
    }

    /// Does something while a context is the thread's.
    pub(crate) fn within<T>(
        &self,
        context: Handle,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        // SAFETY: handles that aren't contexts are recognised.
        self.check("cuCtxPushCurrent", unsafe { (self.functions.push)(context) })?;
        let worked = work();
        let mut popped = Handle::NULL;
        // SAFETY: an address for a handle.
        self.check("cuCtxPopCurrent", unsafe { (self.functions.pop)(&mut popped) })?;
        worked
    }

    /// The device of the thread's context, and its UUID.
    pub(crate) fn device(&self) -> Result<(c_int, [u8; 16]), Error> {
        let (mut device, mut uuid) = (0, [0; 16]);
        // SAFETY: an address for a number.
        self.check("cuCtxGetDevice", unsafe { (self.functions.current_device)(&mut device) })?;
        // SAFETY: an address for sixteen bytes.
        self.check("cuDeviceGetUuid", unsafe { (self.functions.uuid)(&mut uuid, device) })?;
        Ok((device, uuid))
    }

    pub(crate) fn stream_context(&self, stream: Handle) -> Result<Handle, Error> {
        let mut context = Handle::NULL;
        // SAFETY: an address for a handle; streams that don't exist are recognised.
        self.check("cuStreamGetCtx", unsafe { (self.functions.stream_context)(stream, &mut context) })?;
        Ok(context)
    }

    /// # Errors
    /// If an address isn't one of a device, with so many bytes behind it.
    pub(crate) fn check_buffer(
        &self,
        what: &str,
        address: u64,
        bytes: usize,
        device: c_int,
    ) -> Result<(), Error> {
        let attribute = |number, value: *mut c_void| {
            // SAFETY: each caller below gives an address for the attribute's type.
            let status = unsafe { (self.functions.pointer)(value, number, address) };
            let unknown = |_| Error::argument(format!("{what} {address:#x} isn't memory of a device"));
            self.check("cuPointerGetAttribute", status).map_err(unknown)
        };
        let (mut kind, mut owner, mut start, mut len) = (0_u32, 0_i32, 0_u64, 0_usize);
        attribute(MEMORY_TYPE, (&raw mut kind).cast())?;
        attribute(DEVICE_ORDINAL, (&raw mut owner).cast())?;
        attribute(RANGE_START, (&raw mut start).cast())?;
        attribute(RANGE_BYTES, (&raw mut len).cast())?;
        if kind != DEVICE {
            return Err(Error::argument(format!("{what} {address:#x} isn't memory of a device")));
        }
        if owner != device {
            let of = format!("{what} {address:#x} is on device {owner}, and the communicator on {device}");
            return Err(Error::argument(of));
        }
        let behind = (len as u64).saturating_sub(address.saturating_sub(start));
        if behind < bytes as u64 {
            let of = format!("{what} {address:#x} has {behind} bytes, and the call is of {bytes}");
            return Err(Error::argument(of));
        }
        Ok(())
    }

    pub(crate) fn alloc(&self, bytes: usize) -> Result<Pinned, Error> {
        let mut address = std::ptr::null_mut();
        if bytes > 0 {
            // SAFETY: an address for an address.
            self.check("cuMemAllocHost", unsafe { (self.functions.alloc_host)(&mut address, bytes) })?;
        }
        Ok(Pinned { address, bytes })
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is gone afterwards")]
    pub(crate) fn free(&self, memory: Pinned) {
        if memory.bytes > 0 {
            // SAFETY: allocated by `alloc`, and the value that could be used is gone.
            unsafe { (self.functions.free_host)(memory.address) };
        }
    }

    pub(crate) fn to_host(&self, to: &mut Pinned, from: u64, stream: Handle) -> Result<(), Error> {
        if to.bytes == 0 {
            return Ok(());
        }
        // SAFETY: pinned memory of so many bytes, which is freed when the stream is done.
        let status = unsafe { (self.functions.to_host)(to.address, from, to.bytes, stream) };
        self.check("cuMemcpyDtoHAsync", status)
    }

    /// Queues a copy of memory that an earlier operation of the stream writes.
    pub(crate) fn to_device(&self, to: u64, from: Queued, stream: Handle) -> Result<(), Error> {
        if from.bytes == 0 {
            return Ok(());
        }
        // SAFETY: pinned memory of so many bytes, which is freed when the stream is done.
        let status = unsafe { (self.functions.to_device)(to, from.address, from.bytes, stream) };
        self.check("cuMemcpyHtoDAsync", status)
    }

    /// # Safety
    /// The function can be called once with `data`, from any thread, at any time or never.
    pub(crate) unsafe fn launch_host(
        &self,
        stream: Handle,
        function: HostFunction,
        data: *mut c_void,
    ) -> Result<(), Error> {
        // SAFETY: as this function asks.
        self.check("cuLaunchHostFunc", unsafe { (self.functions.launch_host)(stream, function, data) })
    }

    /// An event behind all that a stream has.
    pub(crate) fn record(&self, stream: Handle) -> Result<Event, Error> {
        let mut handle = Handle::NULL;
        // SAFETY: an address for a handle.
        self.check("cuEventCreate", unsafe { (self.functions.event_create)(&mut handle, DISABLE_TIMING) })?;
        let event = Event { handle };
        // SAFETY: an event of ours; streams that don't exist are recognised.
        self.check("cuEventRecord", unsafe { (self.functions.event_record)(handle, stream) })?;
        Ok(event)
    }

    pub(crate) fn wait(&self, stream: Handle, event: &Event) -> Result<(), Error> {
        // SAFETY: an event of ours; streams that don't exist are recognised.
        self.check("cuStreamWaitEvent", unsafe { (self.functions.wait_event)(stream, event.handle, 0) })
    }
}

/// Where pinned memory is that a copy is queued of.
#[derive(Clone, Copy)]
pub(crate) struct Queued {
    address: *const u8,
    bytes: usize,
}

impl From<&Pinned> for Queued {
    fn from(memory: &Pinned) -> Self {
        Self { address: memory.address, bytes: memory.bytes }
    }
}

/// A point in a stream.
pub(crate) struct Event {
    handle: Handle,
}

impl Event {
    /// Whether all before it is done, or failed.
    pub(crate) fn is_over(&self) -> bool {
        // SAFETY: an event of ours, destroyed with this value.
        cuda().is_ok_and(|cuda| unsafe { (cuda.functions.event_query)(self.handle) } != NOT_READY)
    }

    /// Waits until all before it is done, or failed.
    pub(crate) fn wait(&self) {
        if let Ok(cuda) = cuda() {
            // SAFETY: an event of ours, destroyed with this value.
            unsafe { (cuda.functions.event_synchronize)(self.handle) };
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(cuda) = cuda() {
            // SAFETY: an event of ours, and nobody has another handle of it.
            unsafe { (cuda.functions.event_destroy)(self.handle) };
        }
    }
}
