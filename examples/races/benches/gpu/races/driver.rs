//! The bare driver: what a program without Gridwright calls.

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr,
    ValidAsZeroBits, result,
};
use cudarc::nvrtc::Ptx;

/// A stream of the first device, and events to time it by.
pub(crate) struct Driver {
    pub(crate) context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    start: CudaEvent,
    end: CudaEvent,
}

/// nvcc's kernels.
pub(crate) struct Reference {
    /// Of the file that was loaded.
    pub(crate) name: String,
    pub(crate) module: Arc<CudaModule>,
}

impl Driver {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let context = CudaContext::new(0)?;
        let event = || context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        Ok(Self { stream: context.new_stream()?, start: event()?, end: event()?, context })
    }

    /// The first of the files that the driver takes.
    pub(crate) fn first_of(&self, files: &[PathBuf]) -> anyhow::Result<Reference> {
        let mut refused = String::new();
        for file in files {
            match self.context.load_module(Ptx::from_file(file)) {
                Ok(module) => {
                    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    return Ok(Reference { name, module });
                }
                Err(error) => refused += &format!("\n{}: {error}", file.display()),
            }
        }
        if files.is_empty() {
            bail!("there is nothing to race against: give nvcc's kernels with --reference");
        }
        bail!("the driver takes none of nvcc's kernels:{refused}")
    }

    /// Loads PTX.
    pub(crate) fn load(&self, ptx: &[u8]) -> anyhow::Result<Arc<CudaModule>> {
        let text = String::from_utf8(ptx.to_vec()).context("PTX is text")?;
        Ok(self.context.load_module(Ptx::from_src(text))?)
    }

    pub(crate) fn upload<T: DeviceRepr>(&self, elements: &[T]) -> anyhow::Result<CudaSlice<T>> {
        Ok(self.stream.clone_htod(elements)?)
    }

    pub(crate) fn zeroed<T: DeviceRepr + ValidAsZeroBits>(&self, len: usize) -> anyhow::Result<CudaSlice<T>> {
        Ok(self.stream.alloc_zeros(len)?)
    }

    pub(crate) fn download<T: DeviceRepr>(&self, memory: &CudaSlice<T>) -> anyhow::Result<Vec<T>> {
        let elements = self.stream.clone_dtoh(memory)?;
        self.synchronize()?;
        Ok(elements)
    }

    pub(crate) fn synchronize(&self) -> anyhow::Result<()> {
        Ok(self.stream.synchronize()?)
    }

    /// The address of an argument's memory.
    pub(crate) fn address<T>(&self, memory: &CudaSlice<T>) -> Argument {
        Argument(memory.device_ptr(&self.stream).0)
    }

    /// Nanoseconds that the device takes for one of so many calls, by events before the first and behind the last.
    pub(crate) fn timed(
        &self,
        calls: u32,
        mut call: impl FnMut() -> anyhow::Result<()>,
    ) -> anyhow::Result<f64> {
        self.start.record(&self.stream)?;
        for _ in 0..calls {
            call()?;
        }
        self.end.record(&self.stream)?;
        self.end.synchronize()?;
        Ok(f64::from(self.start.elapsed_ms(&self.end)?) * 1e6 / f64::from(calls))
    }
}

/// A parameter's value: of 32 bits, the driver reads the lower half, which is in front.
#[derive(Clone, Copy)]
pub(crate) struct Argument(u64);

impl Argument {
    pub(crate) fn number(number: usize) -> Self {
        Self(number as u64)
    }

    pub(crate) fn float(number: f32) -> Self {
        Self(number.to_bits().into())
    }
}

/// A kernel with its arguments, launched again and again.
pub(crate) struct Launch<'d> {
    driver: &'d Driver,
    function: CudaFunction,
    grid: [u32; 2],
    block: [u32; 2],
    /// Of the values behind it.
    pointers: Vec<*mut c_void>,
    _values: Vec<u64>,
}

impl<'d> Launch<'d> {
    /// # Safety
    /// * The arguments are those of the kernel, by number and size.
    /// * Their memory is as long as the kernel takes it to be, and there while this is.
    /// * Nothing else uses memory that the kernel writes, until the driver was waited for.
    pub(crate) unsafe fn new(
        driver: &'d Driver,
        module: &Arc<CudaModule>,
        kernel: &str,
        grid: [usize; 2],
        block: [usize; 2],
        arguments: &[Argument],
    ) -> anyhow::Result<Self> {
        let function = module.load_function(kernel).with_context(|| format!("there is no {kernel}"))?;
        let [grid, block] = [grid, block].map(|size| size.map(u32::try_from));
        let values: Vec<u64> = arguments.iter().map(|argument| argument.0).collect();
        let pointers = values.iter().map(|value| (&raw const *value).cast_mut().cast()).collect();
        Ok(Self {
            driver,
            function,
            grid: [grid[0]?, grid[1]?],
            block: [block[0]?, block[1]?],
            pointers,
            _values: values,
        })
    }

    /// Gives it to the driver, and doesn't wait.
    pub(crate) fn go(&mut self) -> anyhow::Result<()> {
        let ([x, y], [block_x, block_y]) = (self.grid, self.block);
        // SAFETY: the arguments are the kernel's, and their memory is there, long enough and nobody else's, as `new` asks; the
        // context is this thread's since the driver was opened, and the values lie where they did.
        unsafe {
            result::launch_kernel(
                self.function.cu_function(),
                (x, y, 1),
                (block_x, block_y, 1),
                0,
                self.driver.stream.cu_stream(),
                &mut self.pointers,
            )
        }?;
        Ok(())
    }
}
