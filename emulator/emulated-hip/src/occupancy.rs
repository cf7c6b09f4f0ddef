//! How many blocks of a kernel a multiprocessor holds: by registers, waves and workgroup memory, as the hardware shares them out.

use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::code_object::Kernel;
use crate::error::Error;
use crate::function;
use crate::model::Model;
use crate::process::process;
use crate::registry::Handle;

/// Blocks of so many threads, with so much workgroup memory beside what the kernel declares.
pub(crate) fn of_function(model: &Model, kernel: &Kernel, threads: u32, shared: u32) -> u32 {
    let registers = kernel.registers.max(1).next_multiple_of(model.register_granule);
    let waves = model.units * model.waves.min(model.registers / registers);
    let by_waves = waves / threads.max(1).div_ceil(model.wave);
    let bytes = kernel.shared.saturating_add(shared);
    let by_memory = Model::SHARED.checked_div(bytes).unwrap_or(u32::MAX);
    by_waves.min(by_memory)
}

fn active_blocks(blocks: Out<c_int>, function: Handle, threads: c_int, shared: usize) -> Result<(), Error> {
    let function = function::find(function)?;
    let threads = u32::try_from(threads).ok().filter(|threads| *threads > 0).ok_or(Error::INVALID_VALUE)?;
    let shared = u32::try_from(shared).unwrap_or(u32::MAX);
    let model = &process()?.gpus[function.context.device].model;
    let fits = threads <= function.most_threads();
    let count = if fits { of_function(model, &function.kernel, threads, shared) } else { 0 };
    blocks.put(count as c_int)
}

hip! {
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<c_int>,
        function: Handle,
        threads: c_int,
        shared: usize,
    ) {
        active_blocks(blocks, function, threads, shared)
    }

    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<c_int>,
        function: Handle,
        threads: c_int,
        shared: usize,
        flags: c_uint,
    ) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        active_blocks(blocks, function, threads, shared)
    }

    /// The block, of whole waves, with which the most threads are there at once; the largest of several.
    fn hipModuleOccupancyMaxPotentialBlockSize(
        grid: Out<c_int>,
        block: Out<c_int>,
        function: Handle,
        shared: usize,
        limit: c_int,
    ) {
        let function = function::find(function)?;
        let shared = u32::try_from(shared).map_err(|_| Error::INVALID_VALUE)?;
        let model = &process()?.gpus[function.context.device].model;
        let asked = u32::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(Model::THREADS);
        let most = function.most_threads().min(asked);
        let sizes = (1..=most / model.wave).map(|waves| waves * model.wave);
        let resident = |threads: u32| of_function(model, &function.kernel, threads, shared);
        let best = sizes.max_by_key(|&threads| (resident(threads) * threads, threads)).unwrap_or(most);
        grid.put((resident(best) * Model::MULTIPROCESSORS) as c_int)?;
        block.put(best as c_int)
    }
}
