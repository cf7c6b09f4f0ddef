//! Launches: checked at the call, run when the stream comes to them.

use std::ffi::c_uint;
use std::sync::Arc;

use serde_json::json;

use crate::arguments::{self, Extra};
use crate::context::{Context, current};
use crate::error::Error;
use crate::executor;
use crate::function::{self, Function};
use crate::model::Model;
use crate::occupancy;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::arguments::Arguments;
use crate::stream;

/// Sizes of a launch.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// In blocks.
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Bytes of workgroup memory that the kernel doesn't declare.
    pub(crate) shared: u32,
    pub(crate) is_cooperative: bool,
}

/// What HIP refuses at the call, with the errors of its `ihipLaunchKernel_validate`, but for what is said here.
fn check(process: &Process, function: &Function, sizes: &Sizes) -> Result<(), Error> {
    let Sizes { grid, block, shared, is_cooperative } = *sizes;
    if grid.contains(&0) {
        return Err(Error::INVALID_VALUE);
    }
    if block.contains(&0) {
        return Err(Error::INVALID_CONFIGURATION);
    }
    // Threads along an axis are counted in 32 bits.
    let is_countable = |(groups, threads): (&u32, &u32)| groups.checked_mul(*threads).is_some();
    let threads = block.iter().fold(1_u32, |product, size| product.saturating_mul(*size));
    if !grid.iter().zip(&block).all(is_countable) || threads > Model::THREADS {
        return Err(Error::INVALID_VALUE);
    }
    // HIP asks the dynamic part only, and fails later.
    let memory = function.kernel.shared.checked_add(shared);
    if memory.is_none_or(|bytes| bytes > Model::SHARED) {
        return Err(Error::INVALID_VALUE);
    }
    // HIP doesn't compare the block that a kernel is compiled for.
    let is_other_block = function.kernel.required_block.is_some_and(|required| required != block);
    if threads > function.most_threads() || is_other_block {
        return Err(Error::LAUNCH_FAILED);
    }
    if is_cooperative {
        let model = &process.gpus[function.context.device].model;
        let resident = occupancy::of_function(model, &function.kernel, threads, shared);
        let blocks: u64 = grid.iter().map(|&size| u64::from(size)).product();
        if blocks > u64::from(resident) * u64::from(Model::MULTIPROCESSORS) {
            return Err(Error::COOPERATIVE_LAUNCH_TOO_LARGE);
        }
    }
    Ok(())
}

fn launch(
    function: Handle,
    sizes: Sizes,
    stream: Handle,
    arguments: Arguments,
    extra: Extra,
) -> Result<(), Error> {
    current()?;
    let launch = Launch::new(function, sizes, arguments, extra)?;
    let stream = stream::find(stream)?;
    if !launch.is_of(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    let process = process()?;
    if process.settings.execute {
        executor::check()?;
        stream.submit(Work::run(move || launch.execute(process)))?;
    }
    Ok(())
}

/// A checked launch with its arguments, which can be run whenever.
pub(crate) struct Launch {
    function: Arc<Function>,
    sizes: Sizes,
    arguments: Vec<u8>,
}

impl Launch {
    pub(crate) fn new(
        function: Handle,
        sizes: Sizes,
        arguments: Arguments,
        extra: Extra,
    ) -> Result<Self, Error> {
        let process = process()?;
        let function = function::find(function)?;
        check(process, &function, &sizes)?;
        let arguments = arguments::gather(&function.kernel, arguments, extra, &sizes)?;
        Ok(Self { function, sizes, arguments })
    }

    /// This launch, cooperative or not.
    pub(crate) fn with(&self, process: &Process, is_cooperative: bool) -> Result<Self, Error> {
        let sizes = Sizes { is_cooperative, ..self.sizes };
        check(process, &self.function, &sizes)?;
        Ok(Self { function: Arc::clone(&self.function), sizes, arguments: self.arguments.clone() })
    }

    pub(crate) fn is_cooperative(&self) -> bool {
        self.sizes.is_cooperative
    }

    pub(crate) fn is_of(&self, context: &Context) -> bool {
        self.function.context.is(context)
    }

    pub(crate) fn has_device_of(&self, other: &Self) -> bool {
        self.is_of(other.function.context)
    }

    pub(crate) fn execute(&self, process: &Process) -> Result<(), Error> {
        let Self { function, sizes, arguments } = self;
        let gpu = &process.gpus[function.context.device];
        let request = json!({
            "code": function.image.path(),
            "at": function.image.address,
            "arch": gpu.model.name,
            "kernel": function.kernel.name,
            "groups": sizes.grid,
            "threads": sizes.block,
            "workgroup_bytes": sizes.shared,
            "kernarg": arguments.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        });
        executor::of(process, gpu.ordinal).run(process, gpu, &function.kernel.name, request)
    }
}

hip! {
    fn hipModuleLaunchKernel(
        function: Handle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: Handle,
        arguments: Arguments,
        extra: Extra,
    ) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        launch(function, Sizes { grid, block, shared, is_cooperative: false }, stream, arguments, extra)
    }

    /// All blocks must fit on the device at once. They run one after the other all the same, so that a kernel whose blocks wait for
    /// each other is stopped.
    fn hipModuleLaunchCooperativeKernel(
        function: Handle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: Handle,
        arguments: Arguments,
    ) since (5, 5) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        launch(function, Sizes { grid, block, shared, is_cooperative: true }, stream, arguments, Extra::NONE)
    }
}
