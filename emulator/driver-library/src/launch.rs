//! Launches: checked at the call, run when the stream comes to them.

use std::ffi::{c_int, c_uint, c_void};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use gridwright_emulator::{Checks, Launch};

use crate::abi::In;
use crate::context::{Context, current};
use crate::error::Error;
use crate::finding;
use crate::function::Function;
use crate::locks::read;
use crate::model::Model;
use crate::occupancy;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::settings::Checking;
use crate::stream;

/// Sizes of a launch.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    pub(crate) is_cooperative: bool,
}

/// The caller's arguments: an array with the address of each. Null, or as long as the kernel has parameters, each address valid for
/// reads of its parameter's size.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Arguments(*const *const c_void);

impl Arguments {
    /// The parameters' bytes, each at its offset.
    fn gather(self, function: &Function) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; function.parameter_bytes];
        if function.parameters.is_empty() {
            return Ok(bytes);
        }
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        for (index, &(offset, size)) in function.parameters.iter().enumerate() {
            // SAFETY: not null, so with an address for each parameter: the type's invariant.
            let argument = unsafe { *self.0.add(index) };
            let target = bytes.get_mut(offset..offset + size).ok_or(Error::INVALID_VALUE)?;
            if argument.is_null() {
                return Err(Error::INVALID_VALUE);
            }
            // SAFETY: as above: valid for reads of the parameter's size, which is the target's.
            unsafe { argument.cast::<u8>().copy_to_nonoverlapping(target.as_mut_ptr(), size) };
        }
        Ok(bytes)
    }
}

/// The other way to give arguments: a list of names and values that say where all bytes are.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Extra(*const *const c_void);

const END: usize = 0;
const BUFFER_POINTER: usize = 1;
const BUFFER_SIZE: usize = 2;

impl Extra {
    fn gather(self, function: &Function) -> Result<Vec<u8>, Error> {
        let (mut pointer, mut size) = (std::ptr::null::<c_void>(), 0);
        for pair in 0..3 {
            // SAFETY: not null, so a list that ends with `END`; each name but that has a value behind it.
            let name = unsafe { *self.0.add(2 * pair) }.addr();
            if name == END {
                break;
            }
            // SAFETY: as above.
            let value = unsafe { *self.0.add(2 * pair + 1) };
            match name {
                BUFFER_POINTER => pointer = value,
                // SAFETY: this name's value is the address of a size, or null, which `In` refuses.
                BUFFER_SIZE if !value.is_null() => size = unsafe { *value.cast::<usize>() },
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        if pointer.is_null() || size < function.parameter_bytes || size > Model::PARAMETERS {
            return Err(Error::INVALID_VALUE);
        }
        let mut bytes = vec![0; function.parameter_bytes];
        // SAFETY: the caller says that `size` bytes are there, and these are no more.
        unsafe { pointer.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        Ok(bytes)
    }
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
    if sizes.is_cooperative {
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
    let kernel = Kernel::new(function, sizes, arguments, extra)?;
    let stream = stream::find(stream)?;
    if !kernel.is_of(stream.context) {
        return Err(Error::INVALID_HANDLE);
    }
    let process = process()?;
    if process.settings.execute {
        stream.submit(Work::run(move || kernel.run(process)))?;
    }
    Ok(())
}

/// A checked launch with its arguments, which can be run whenever.
pub(crate) struct Kernel {
    function: Arc<Function>,
    sizes: Sizes,
    parameters: Vec<u8>,
}

impl Kernel {
    pub(crate) fn new(
        function: Handle,
        sizes: Sizes,
        arguments: Arguments,
        extra: Extra,
    ) -> Result<Self, Error> {
        let process = process()?;
        let function = process.functions.get(function).ok_or(Error::INVALID_HANDLE)?;
        check(process, &function, &sizes)?;
        let parameters = match (arguments.0.is_null(), extra.0.is_null()) {
            (false, false) => return Err(Error::INVALID_VALUE),
            (true, false) => extra.gather(&function)?,
            _ => arguments.gather(&function)?,
        };
        Ok(Self { function, sizes, parameters })
    }

    /// The same, cooperative or not.
    pub(crate) fn cooperative(&self, process: &Process, is_cooperative: bool) -> Result<Self, Error> {
        let sizes = Sizes { is_cooperative, ..self.sizes };
        check(process, &self.function, &sizes)?;
        Ok(Self { function: Arc::clone(&self.function), sizes, parameters: self.parameters.clone() })
    }

    pub(crate) fn is_cooperative(&self) -> bool {
        self.sizes.is_cooperative
    }

    pub(crate) fn is_of(&self, context: &Context) -> bool {
        self.function.context.is(context)
    }

    pub(crate) fn has_context_of(&self, other: &Self) -> bool {
        self.is_of(other.function.context)
    }

    pub(crate) fn run(&self, process: &Process) -> Result<(), Error> {
        let (settings, sizes, function) = (&process.settings, self.sizes, &self.function);
        let mut launch = Launch::new(sizes.grid, sizes.block, &self.parameters);
        launch.dynamic_shared = sizes.shared;
        launch.cooperative = sizes.is_cooperative;
        launch.instruction_limit = settings.instruction_limit;
        launch.checks = if settings.checking == Checking::Off { Checks::NONE } else { Checks::ALL };
        launch.print = Some(Arc::new(|text| {
            // A program without standard output prints nothing.
            let mut output = std::io::stdout().lock();
            let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        }));
        let _running = read(&process.running);
        finding::judge(process.emulator.launch(&function.loaded, function.name(), &launch), settings.checking)
    }
}

/// `CUlaunchConfig`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: Handle,
    attributes: In<Attribute>,
    count: c_uint,
}

/// `CUlaunchAttribute`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Attribute {
    name: c_int,
    padding: c_int,
    value: [u32; 16],
}

impl Config {
    /// Whether it is cooperative. Attributes that change nothing are passed over.
    fn is_cooperative(&self) -> Result<bool, Error> {
        let mut is_cooperative = false;
        for index in 0..self.count as usize {
            let Attribute { name, value, .. } = self.attributes.at(index)?;
            match name {
                2 => is_cooperative = value[0] != 0,
                // A cluster of one block is none.
                4 if value[..3] != [1, 1, 1] => return Err(Error::NOT_SUPPORTED),
                // A preferred size of clusters, launches that overlap, events in the middle of launches, graphs.
                6 if value[0] == 0 => {}
                6 | 7 | 11 | 12 | 13 => return Err(Error::NOT_SUPPORTED),
                // Hints: access policy, synchronisation policy, scheduling of clusters, priority, domains, carve-out.
                0 | 1 | 3 | 4 | 5 | 8 | 9 | 10 | 14 => {}
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        Ok(is_cooperative)
    }
}

driver! {
    fn cuLaunchKernel(
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
        launch(function, Sizes { grid, block, shared, is_cooperative: false }, stream, arguments, extra)
    }

    /// Clusters aren't supported.
    fn cuLaunchKernelEx(config: In<Config>, function: Handle, arguments: Arguments, extra: Extra) {
        let config = config.get()?;
        let Config { grid, block, shared, stream, .. } = config;
        let is_cooperative = config.is_cooperative()?;
        launch(function, Sizes { grid, block, shared, is_cooperative }, stream, arguments, extra)
    }

    /// All blocks must fit on the device at once.
    fn cuLaunchCooperativeKernel(
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
        let sizes = Sizes { grid, block, shared, is_cooperative: true };
        launch(function, sizes, stream, arguments, Extra(std::ptr::null()))
    }
}
