//! Peers in OpenCL: whatever runtimes for the CPU the loader finds when the bench runs. `cargo xtask bench --opencl` gets some.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use libloading::Library;

/// The loader's names.
const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

const SUCCESS: i32 = 0;
const TRUE: u32 = 1;
const DEVICE_TYPE_CPU: u64 = 1 << 1;
const DEVICE_MAX_COMPUTE_UNITS: u32 = 0x1002;
const PLATFORM_NAME: u32 = 0x0902;
const DRIVER_VERSION: u32 = 0x102d;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const MEM_READ_WRITE: u64 = 1;

/// A handle of OpenCL's. Those that are made here are never given back, but for memory: a bench makes few, and ends.
type Handle = *mut c_void;

macro_rules! functions {
    ($($field:ident $symbol:ident($($parameter:ty),*) -> $result:ty;)*) => {
        /// What is called of the loader, as `CL/cl.h` declares it.
        #[derive(Debug)]
        struct Functions {
            $($field: unsafe extern "C" fn($($parameter),*) -> $result,)*
        }

        impl Functions {
            /// Loads OpenCL's loader, for as long as the program runs: runtimes have threads that may never lose their code.
            fn load() -> anyhow::Result<Self> {
                // SAFETY: OpenCL's loader may be loaded at any time; its functions have the types of the header.
                unsafe {
                    let library = NAMES.iter().find_map(|name| Library::new(*name).ok());
                    let library = library.with_context(|| format!("no {}", NAMES.join(" and no ")))?;
                    let functions = Self {
                        $($field: *library.get(stringify!($symbol))?,)*
                    };
                    std::mem::forget(library);
                    Ok(functions)
                }
            }
        }
    };
}

functions! {
    platforms clGetPlatformIDs(u32, *mut Handle, *mut u32) -> i32;
    platform_info clGetPlatformInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    devices clGetDeviceIDs(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
    device_info clGetDeviceInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    context clCreateContext(*const isize, u32, *const Handle, *const c_void, *mut c_void, *mut i32) -> Handle;
    queue clCreateCommandQueue(Handle, Handle, u64, *mut i32) -> Handle;
    program clCreateProgramWithSource(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
    build clBuildProgram(Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void) -> i32;
    build_info clGetProgramBuildInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    kernel clCreateKernel(Handle, *const c_char, *mut i32) -> Handle;
    buffer clCreateBuffer(Handle, u64, usize, *mut c_void, *mut i32) -> Handle;
    write clEnqueueWriteBuffer(
        Handle, Handle, u32, usize, usize, *const c_void, u32, *const Handle, *mut Handle
    ) -> i32;
    read clEnqueueReadBuffer(
        Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle
    ) -> i32;
    argument clSetKernelArg(Handle, u32, usize, *const c_void) -> i32;
    launch clEnqueueNDRangeKernel(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle
    ) -> i32;
    finish clFinish(Handle) -> i32;
    release clReleaseMemObject(Handle) -> i32;
}

/// An error of OpenCL's, by what was called.
fn check(what: &str, status: i32) -> anyhow::Result<()> {
    ensure!(status == SUCCESS, "OpenCL's {what} failed with {status}");
    Ok(())
}

/// A text that OpenCL gives in two calls: its size, then itself.
fn text(what: &str, get: impl Fn(usize, *mut c_void, *mut usize) -> i32) -> anyhow::Result<String> {
    let mut size = 0;
    check(what, get(0, null_mut(), &raw mut size))?;
    let mut bytes = vec![0_u8; size];
    check(what, get(size, bytes.as_mut_ptr().cast(), null_mut()))?;
    Ok(CStr::from_bytes_until_nul(&bytes)?.to_string_lossy().into_owned())
}

/// A runtime's CPU.
#[derive(Debug)]
pub struct Cpu {
    functions: Arc<Functions>,
    /// The runtime's name.
    pub name: String,
    /// Of the runtime, as it says itself.
    pub version: String,
    /// As many threads as it computes with.
    pub threads: usize,
    device: Handle,
    context: Handle,
    queue: Handle,
}

/// The CPUs of all runtimes.
///
/// # Errors
/// Without OpenCL's loader, or a runtime for CPUs.
pub fn cpus() -> anyhow::Result<Vec<Cpu>> {
    let functions = Arc::new(Functions::load()?);
    let mut count = 0;
    // SAFETY: without room only their number is written.
    check("platforms", unsafe { (functions.platforms)(0, null_mut(), &raw mut count) })
        .context("there is no runtime")?;
    let mut platforms = vec![null_mut(); count as usize];
    // SAFETY: there is room for so many.
    check("platforms", unsafe { (functions.platforms)(count, platforms.as_mut_ptr(), null_mut()) })?;
    let mut cpus = Vec::new();
    for platform in platforms {
        cpus.extend(Cpu::of(&functions, platform)?);
    }
    ensure!(!cpus.is_empty(), "no runtime is for CPUs");
    Ok(cpus)
}

impl Cpu {
    /// A platform's CPU, if it has one.
    fn of(functions: &Arc<Functions>, platform: Handle) -> anyhow::Result<Option<Self>> {
        let mut device = null_mut();
        // SAFETY: the platform is one; there is room for a device.
        let status =
            unsafe { (functions.devices)(platform, DEVICE_TYPE_CPU, 1, &raw mut device, null_mut()) };
        if status != SUCCESS {
            return Ok(None);
        }
        // SAFETY: no more is written than there is room for.
        let name = text("platform's name", |size, value, full| unsafe {
            (functions.platform_info)(platform, PLATFORM_NAME, size, value, full)
        })?;
        // SAFETY: no more is written than there is room for.
        let version = text("version", |size, value, full| unsafe {
            (functions.device_info)(device, DRIVER_VERSION, size, value, full)
        })?;
        let (mut threads, mut status) = (0_u32, SUCCESS);
        let size = size_of_val(&threads);
        // SAFETY: the device is one, this information of it a `cl_uint`, and all handles are what was made of the ones before.
        let (context, queue) = unsafe {
            let value = (&raw mut threads).cast();
            let found = (functions.device_info)(device, DEVICE_MAX_COMPUTE_UNITS, size, value, null_mut());
            check("number of threads", found)?;
            let context =
                (functions.context)(null(), 1, &raw const device, null(), null_mut(), &raw mut status);
            check("context", status)?;
            (context, (functions.queue)(context, device, 0, &raw mut status))
        };
        check("queue", status)?;
        let functions = Arc::clone(functions);
        Ok(Some(Self { functions, name, version, threads: threads as usize, device, context, queue }))
    }

    /// Compiles a source of one kernel.
    ///
    /// # Errors
    /// With what the compiler says.
    pub fn kernel(&self, source: &str, name: &str, options: &str) -> anyhow::Result<Kernel<'_>> {
        self.build(source, options)?.kernel(self, name)
    }

    /// Compiles a source.
    ///
    /// # Errors
    /// With what the compiler says.
    pub fn build(&self, source: &str, options: &str) -> anyhow::Result<Program> {
        let options = CString::new(options)?;
        let (text_at, len, mut status) = (source.as_ptr().cast(), source.len(), SUCCESS);
        // SAFETY: the source has so many bytes, and OpenCL copies them.
        let program = unsafe {
            (self.functions.program)(self.context, 1, &raw const text_at, &raw const len, &raw mut status)
        };
        check("program", status)?;
        // SAFETY: the program is one for the device, and the options end with a zero.
        let built = unsafe {
            let device = &raw const self.device;
            (self.functions.build)(program, 1, device, options.as_ptr(), null(), null_mut())
        };
        if built != SUCCESS {
            // SAFETY: no more is written than there is room for.
            let log = text("build's log", |size, value, full| unsafe {
                (self.functions.build_info)(program, self.device, PROGRAM_BUILD_LOG, size, value, full)
            })?;
            bail!("{} doesn't compile the kernels: {log}", self.name);
        }
        Ok(Program(program))
    }

    /// Waits for what the queue has.
    ///
    /// # Errors
    /// OpenCL's, of what ran.
    pub fn wait(&self) -> anyhow::Result<()> {
        // SAFETY: the queue is one.
        check("wait", unsafe { (self.functions.finish)(self.queue) })
    }

    /// Memory with these elements.
    ///
    /// # Errors
    /// Where OpenCL has none.
    pub fn upload<T: Element>(&self, elements: &[T]) -> anyhow::Result<Buffer> {
        let mut status = SUCCESS;
        let bytes = size_of_val(elements);
        // SAFETY: memory of OpenCL's own.
        let handle = unsafe {
            (self.functions.buffer)(self.context, MEM_READ_WRITE, bytes, null_mut(), &raw mut status)
        };
        check("buffer", status)?;
        let buffer = Buffer { functions: Arc::clone(&self.functions), handle, bytes };
        self.write(&buffer, elements)?;
        Ok(buffer)
    }

    /// Writes elements over those that memory begins with.
    ///
    /// # Errors
    /// Where the memory is smaller.
    pub fn write<T: Element>(&self, buffer: &Buffer, elements: &[T]) -> anyhow::Result<()> {
        let (bytes, from) = (size_of_val(elements), elements.as_ptr().cast());
        ensure!(bytes <= buffer.bytes, "{bytes} bytes don't fit {}", buffer.bytes);
        // SAFETY: the buffer is as large as the elements or larger; the call returns when they are copied.
        check("write", unsafe {
            (self.functions.write)(self.queue, buffer.handle, TRUE, 0, bytes, from, 0, null(), null_mut())
        })
    }

    /// What memory holds.
    ///
    /// # Errors
    /// OpenCL's, of what ran before.
    pub fn download<T: Element>(&self, buffer: &Buffer) -> anyhow::Result<Vec<T>> {
        let mut elements = vec![T::default(); buffer.bytes / size_of::<T>()];
        let (bytes, into) = (size_of_val(&elements[..]), elements.as_mut_ptr().cast());
        // SAFETY: the elements take no more bytes than the buffer has, and may be any; the call returns when they are copied.
        check("read", unsafe {
            (self.functions.read)(self.queue, buffer.handle, TRUE, 0, bytes, into, 0, null(), null_mut())
        })?;
        Ok(elements)
    }
}

/// What was compiled.
#[derive(Debug)]
pub struct Program(Handle);

impl Program {
    /// A kernel of it, for the CPU that it was compiled for.
    ///
    /// # Errors
    /// Where there is none of this name.
    pub fn kernel<'c>(&self, cpu: &'c Cpu, name: &str) -> anyhow::Result<Kernel<'c>> {
        let (symbol, mut status) = (CString::new(name)?, SUCCESS);
        // SAFETY: the program is built, and the name ends with a zero.
        let kernel = unsafe { (cpu.functions.kernel)(self.0, symbol.as_ptr(), &raw mut status) };
        check(&format!("kernel {name}"), status)?;
        Ok(Kernel { cpu, kernel })
    }
}

/// What memory can hold.
///
/// # Safety
/// Has no padding, and any bytes are a value.
pub unsafe trait Element: Copy + Default {}

// SAFETY: so it is with numbers.
unsafe impl Element for u8 {}
// SAFETY: so it is with numbers.
unsafe impl Element for u32 {}
// SAFETY: so it is with numbers.
unsafe impl Element for f32 {}

/// Memory of OpenCL's.
#[derive(Debug)]
pub struct Buffer {
    functions: Arc<Functions>,
    handle: Handle,
    bytes: usize,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it is given back once; OpenCL keeps it until the kernels that have it are done.
        unsafe { (self.functions.release)(self.handle) };
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'b> {
    /// `float`.
    Float(f32),
    /// `uint`.
    Int(u32),
    /// `__global` memory.
    Buffer(&'b Buffer),
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel<'c> {
    cpu: &'c Cpu,
    kernel: Handle,
}

// SAFETY: all functions that are called with the handles may be called from any thread, but for `clSetKernelArg`, which no two
// may call at once with a kernel: a kernel is borrowed mutably for it.
unsafe impl Send for Kernel<'_> {}

impl Kernel<'_> {
    /// Sets the arguments.
    ///
    /// # Errors
    /// Where they aren't the kernel's.
    ///
    /// # Safety
    /// - The kernel touches no more elements of a buffer than it has when it runs with as many work-items as the launches after this.
    /// - The buffers live until the last of these launches has ended.
    pub unsafe fn set(&mut self, arguments: &[Argument<'_>]) -> anyhow::Result<()> {
        for (at, argument) in (0..).zip(arguments) {
            let (size, value): (usize, *const c_void) = match argument {
                Argument::Float(value) => (size_of::<f32>(), (&raw const *value).cast()),
                Argument::Int(value) => (size_of::<u32>(), (&raw const *value).cast()),
                Argument::Buffer(buffer) => (size_of::<Handle>(), (&raw const buffer.handle).cast()),
            };
            // SAFETY: the value has so many bytes, and OpenCL copies them; memory lives as long as it is used, says the caller.
            check("argument", unsafe { (self.cpu.functions.argument)(self.kernel, at, size, value) })?;
        }
        Ok(())
    }

    /// Runs so many work-items and waits for them. The runtime chooses the workgroups.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn launch(&self, len: usize) -> anyhow::Result<()> {
        self.submit([len, 1], None)?;
        self.cpu.wait()
    }

    /// Gives the queue so many work-items to run, in workgroups of these sizes or as the runtime likes.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn submit(&self, sizes: [usize; 2], group: Option<[usize; 2]>) -> anyhow::Result<()> {
        let (functions, queue) = (&self.cpu.functions, self.cpu.queue);
        let group = group.as_ref().map_or(null(), |group| group.as_ptr());
        let axes = if sizes[1] == 1 { 1 } else { 2 };
        // SAFETY: there are as many sizes as axes; whoever set the arguments answers for the memory.
        check("launch", unsafe {
            let sizes = sizes.as_ptr();
            (functions.launch)(queue, self.kernel, axes, null(), sizes, group, 0, null(), null_mut())
        })
    }
}
