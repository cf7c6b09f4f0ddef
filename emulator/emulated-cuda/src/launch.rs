//! Launches: checked at the call, run when the stream comes to them.

use std::ffi::{c_uint, c_void};
use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use gridwright_emulator::{self as emulator, Checks};

use crate::abi::In;
use crate::context::{Context, current};
use crate::error::Error;
use crate::finding;
use crate::function::Function;
use crate::function_calls;
use crate::launch_attributes::{Attribute, Attributes};
use crate::locks::read;
use crate::model::Model;
use crate::occupancy;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::settings::Checking;
use crate::shared::arguments::{self, Arguments, Parameters};
use crate::shared::graph::{self, Task};
use crate::stream;
use crate::workspace::Workspace;

pub(crate) type Extra = arguments::Extra<0>;

/// Sizes of a launch.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    pub(crate) attributes: Attributes,
}

/// What a driver refuses at the call.
fn check(process: &Process, function: &Function, sizes: &Sizes) -> Result<(), Error> {
    let within = |sizes: [u32; 3], most: [u32; 3]| {
        sizes.iter().zip(most).all(|(&size, most)| size >= 1 && size <= most)
    };
    if !within(sizes.grid, Model::GRID) || !within(sizes.block, Model::BLOCK) {
        return Err(Error::INVALID_VALUE);
    }
    let threads: u32 = sizes.block.iter().product();
    let other_block = function.required_block.is_some_and(|required| required != sizes.block);
    let most_dynamic = u32::try_from(function.most_dynamic.load(Ordering::Relaxed)).unwrap_or(0);
    if threads > function.most_threads || other_block || sizes.shared > most_dynamic {
        return Err(Error::INVALID_VALUE);
    }
    let model = &process.gpus[function.context.device].model;
    if !occupancy::has_registers(function.registers, threads) {
        return Err(Error::LAUNCH_OUT_OF_RESOURCES);
    }
    if sizes.attributes != Attributes::NONE {
        let largest = occupancy::largest_cluster(model, function, threads, sizes.shared as usize);
        sizes.attributes.check(model, sizes.grid, largest)?;
    }
    if sizes.attributes.is_cooperative {
        let resident = occupancy::of_function(model, function, threads, sizes.shared as usize);
        let blocks: u64 = sizes.grid.iter().map(|&size| u64::from(size)).product();
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
    let kernel = Launch::new(function, sizes, arguments, extra)?;
    let stream = stream::find(stream)?;
    if !kernel.is_of(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    if let Some(capture) = stream.captured() {
        return graph::capture(&capture, &stream, Task::Launch(Arc::new(kernel)));
    }
    let process = process()?;
    if process.settings.execute {
        stream.submit(Work::run(move || kernel.execute(process)))?;
    }
    Ok(())
}

/// A checked launch with its arguments, which can be run whenever.
pub(crate) struct Launch {
    handle: Handle,
    function: Arc<Function>,
    sizes: Sizes,
    parameters: Vec<u8>,
    /// Addresses in `parameters`, once a caller asked for them.
    addresses: OnceLock<Addresses>,
}

/// The address of each argument, in bytes that don't move.
struct Addresses(Box<[*const c_void]>);

// SAFETY: nothing here looks behind the addresses; they are of the launch's own bytes, which don't change.
unsafe impl Send for Addresses {}
// SAFETY: threads that share them only copy them.
unsafe impl Sync for Addresses {}

impl Launch {
    pub(crate) fn new(
        function: Handle,
        sizes: Sizes,
        arguments: Arguments,
        extra: Extra,
    ) -> Result<Self, Error> {
        let process = process()?;
        let handle = function;
        let function = function_calls::find(handle)?;
        check(process, &function, &sizes)?;
        let bytes = function.parameter_bytes;
        let given = Parameters { each: &function.parameters, bytes, given: bytes, most: Model::PARAMETERS };
        let parameters = given.gather(arguments, extra)?;
        Ok(Self { handle, function, sizes, parameters, addresses: OnceLock::new() })
    }

    /// This launch with other attributes.
    pub(crate) fn with(&self, process: &Process, attributes: Attributes) -> Result<Self, Error> {
        let sizes = Sizes { attributes, ..self.sizes };
        check(process, &self.function, &sizes)?;
        let (function, parameters) = (Arc::clone(&self.function), self.parameters.clone());
        Ok(Self { handle: self.handle, function, sizes, parameters, addresses: OnceLock::new() })
    }

    /// The function or kernel that it was made of.
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    pub(crate) fn name(&self) -> &str {
        self.function.name()
    }

    /// The arguments, for as long as the launch lives.
    pub(crate) fn arguments(&self) -> Arguments {
        let addresses = self.addresses.get_or_init(|| {
            let start = self.parameters.as_ptr();
            let of = |&(offset, _): &(usize, usize)| start.wrapping_add(offset).cast();
            Addresses(self.function.parameters.iter().map(of).collect())
        });
        Arguments::new(addresses.0.as_ptr())
    }

    pub(crate) fn attributes(&self) -> Attributes {
        self.sizes.attributes
    }

    pub(crate) fn is_of(&self, context: &Context) -> bool {
        self.function.context.is(context)
    }

    pub(crate) fn has_context_of(&self, other: &Self) -> bool {
        self.is_of(other.function.context)
    }

    pub(crate) fn execute(&self, process: &Process) -> Result<(), Error> {
        let (settings, sizes, function) = (&process.settings, self.sizes, &self.function);
        let mut launch = emulator::Launch::new(sizes.grid, sizes.block, &self.parameters);
        launch.dynamic_shared = sizes.shared;
        launch.cooperative = sizes.attributes.is_cooperative;
        launch.cluster = sizes.attributes.cluster;
        launch.instruction_limit = settings.instruction_limit;
        launch.checks = if settings.checking == Checking::Off { Checks::NONE } else { Checks::ALL };
        launch.print = Some(Arc::new(|text| {
            // A program without standard output prints nothing.
            let mut output = std::io::stdout().lock();
            let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        }));
        let uses_workspace = launch.cooperative && function.loaded.module().uses_workspace();
        let workspace = uses_workspace.then(|| Workspace::new(process)).transpose()?;
        launch.workspace = workspace.as_ref().map_or(0, |workspace| workspace.address);
        let _running = read(&process.running);
        finding::judge(process.emulator.launch(&function.loaded, function.name(), &launch), settings)
    }
}

/// `CUlaunchConfig`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Config {
    grid: [c_uint; 3],
    pub(crate) block: [c_uint; 3],
    pub(crate) shared: c_uint,
    stream: Handle,
    attributes: In<Attribute>,
    count: c_uint,
}

impl Config {
    pub(crate) fn attributes(&self) -> Result<Attributes, Error> {
        Attributes::of_launch(self.attributes, self.count as usize)
    }
}

driver! {
    fn cuLaunchKernel[ptsz](
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
        let grid = [grid_x, grid_y, grid_z];
        let block = [block_x, block_y, block_z];
        launch(function, Sizes { grid, block, shared, attributes: Attributes::NONE }, stream, arguments, extra)
    }

    /// A programmatic dependent launch begins when the one before has ended.
    fn cuLaunchKernelEx[ptsz](config: In<Config>, function: Handle, arguments: Arguments, extra: Extra) {
        let config = config.get()?;
        let Config { grid, block, shared, stream, .. } = config;
        let attributes = config.attributes()?;
        launch(function, Sizes { grid, block, shared, attributes }, stream, arguments, extra)
    }

    /// All blocks must fit on the device at once.
    fn cuLaunchCooperativeKernel[ptsz](
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
    ) {
        let grid = [grid_x, grid_y, grid_z];
        let block = [block_x, block_y, block_z];
        let sizes = Sizes { grid, block, shared, attributes: Attributes::COOPERATIVE };
        launch(function, sizes, stream, arguments, Extra::NONE)
    }
}
