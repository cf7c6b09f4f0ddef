//! How many blocks of a kernel a multiprocessor takes, counted as CUDA's calculator does.

use std::ffi::{c_int, c_uint};

use crate::abi::{In, Out};
use crate::error::Error;
use crate::function::{Function, find};
use crate::launch::Config;
use crate::model::Model;
use crate::process::process;
use crate::registry::Handle;

/// Registers are given in units of this, to a warp.
const REGISTER_UNIT: u32 = 256;
/// A multiprocessor has so many parts, each with a share of warps and registers.
pub(crate) const PARTS: u32 = 4;
/// Shared memory is given in units of so many bytes.
const SHARED_UNIT: u32 = 128;

/// What a block takes.
struct Block {
    threads: u32,
    registers: u32,
    /// Static and dynamic, in bytes.
    shared: u32,
}

/// Blocks of a multiprocessor that there are registers for.
fn by_registers(registers: u32, warps: u32) -> u32 {
    let of_warp = (registers * Model::WARP).next_multiple_of(REGISTER_UNIT).max(REGISTER_UNIT);
    Model::REGISTERS / PARTS / of_warp * PARTS / warps
}

fn warps(threads: u32) -> u32 {
    threads.div_ceil(Model::WARP).max(1)
}

/// Whether there are registers enough for a block whose threads take so many each.
pub(crate) fn has_registers(registers: u32, threads: u32) -> bool {
    by_registers(registers, warps(threads)) > 0
}

/// Blocks of a multiprocessor; none where not even one fits.
fn resident(model: &Model, block: &Block) -> u32 {
    let warps = warps(block.threads);
    let by_threads = model.threads_per_multiprocessor / Model::WARP / warps;
    let by_registers = by_registers(block.registers, warps);
    let shared = block.shared.saturating_add(model.reserved_shared());
    let by_shared = match shared.checked_next_multiple_of(SHARED_UNIT) {
        Some(0) => u32::MAX,
        Some(shared) => model.shared_per_multiprocessor / shared,
        None => 0,
    };
    by_threads.min(by_registers).min(by_shared).min(model.blocks_per_multiprocessor)
}

/// Blocks of a function on a multiprocessor.
pub(crate) fn of_function(model: &Model, function: &Function, threads: u32, dynamic: usize) -> u32 {
    let dynamic = u32::try_from(dynamic).unwrap_or(u32::MAX);
    let shared = function.static_shared.saturating_add(dynamic);
    if threads == 0 || threads > function.most_threads || shared > model.most_shared() {
        return 0;
    }
    resident(model, &Block { threads, registers: function.registers, shared })
}

/// The most blocks of a cluster of a function: none where the device has no clusters, or not even a block fits. All of a
/// device's multiprocessors are near each other.
pub(crate) fn largest_cluster(model: &Model, function: &Function, threads: u32, dynamic: usize) -> u32 {
    let resident = of_function(model, function, threads, dynamic) * Model::MULTIPROCESSORS;
    if model.has_clusters() { resident.min(function.most_of_cluster()) } else { 0 }
}

/// The most blocks of a cluster, and the blocks that run at the same time.
fn of_config(config: &Config, function: Handle) -> Result<(u32, u32), Error> {
    let function = find(function)?;
    let model = model(&function)?;
    if !model.has_clusters() {
        return Err(Error::NOT_SUPPORTED);
    }
    let threads = config.block.iter().fold(1_u32, |product, &size| product.saturating_mul(size));
    let largest = largest_cluster(&model, &function, threads, config.shared as usize);
    let resident = of_function(&model, &function, threads, config.shared as usize);
    Ok((largest, resident * Model::MULTIPROCESSORS))
}

fn model(function: &Function) -> Result<Model, Error> {
    Ok(process()?.gpus[function.context.device].model)
}

fn active(
    blocks: Out<c_int>,
    function: Handle,
    threads: c_int,
    dynamic: usize,
    flags: c_uint,
) -> Result<(), Error> {
    let function = find(function)?;
    let threads = u32::try_from(threads).ok().filter(|&threads| threads > 0).ok_or(Error::INVALID_VALUE)?;
    if flags > 1 {
        return Err(Error::INVALID_VALUE);
    }
    blocks.put(of_function(&model(&function)?, &function, threads, dynamic) as c_int)
}

type SharedOfBlock = Option<unsafe extern "C" fn(c_int) -> usize>;

fn potential(
    grid: Out<c_int>,
    block: Out<c_int>,
    function: Handle,
    shared: SharedOfBlock,
    dynamic: usize,
    limit: c_int,
) -> Result<(), Error> {
    let function = find(function)?;
    let model = model(&function)?;
    let limit = match u32::try_from(limit).map_err(|_| Error::INVALID_VALUE)? {
        0 => function.most_threads,
        limit => limit.min(function.most_threads),
    };
    let (mut best, mut best_threads, mut best_blocks) = (0, 0, 0);
    let whole = limit.next_multiple_of(Model::WARP);
    for threads in (Model::WARP..=whole).rev().step_by(Model::WARP as usize).map(|threads| threads.min(limit))
    {
        // SAFETY: the caller gave the function to be called with sizes of blocks.
        let dynamic = shared.map_or(dynamic, |shared| unsafe { shared(threads as c_int) });
        let blocks = of_function(&model, &function, threads, dynamic);
        if blocks * threads > best {
            (best, best_threads, best_blocks) = (blocks * threads, threads, blocks);
        }
    }
    grid.put((best_blocks * Model::MULTIPROCESSORS) as c_int)?;
    block.put(best_threads as c_int)
}

driver! {
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: Out<c_int>, function: Handle, threads: c_int, dynamic: usize) {
        active(blocks, function, threads, dynamic, 0)
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<c_int>,
        function: Handle,
        threads: c_int,
        dynamic: usize,
        flags: c_uint,
    ) {
        active(blocks, function, threads, dynamic, flags)
    }

    /// The block with which most threads are resident: the largest of these.
    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<c_int>,
        block: Out<c_int>,
        function: Handle,
        shared: SharedOfBlock,
        dynamic: usize,
        limit: c_int,
    ) {
        potential(grid, block, function, shared, dynamic, limit)
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<c_int>,
        block: Out<c_int>,
        function: Handle,
        shared: SharedOfBlock,
        dynamic: usize,
        limit: c_int,
        flags: c_uint,
    ) {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        potential(grid, block, function, shared, dynamic, limit)
    }

    fn cuOccupancyMaxPotentialClusterSize(size: Out<c_int>, function: Handle, config: In<Config>) {
        size.put(of_config(&config.get()?, function)?.0 as c_int)
    }

    /// Of the clusters that the launch says; without any, of one block each.
    fn cuOccupancyMaxActiveClusters(clusters: Out<c_int>, function: Handle, config: In<Config>) {
        let config = config.get()?;
        let (largest, resident) = of_config(&config, function)?;
        let size = config.attributes()?.cluster_size();
        let active = if size > u64::from(largest) { 0 } else { u64::from(resident) / size.max(1) };
        clusters.put(c_int::try_from(active).unwrap_or(c_int::MAX))
    }

    /// Bytes that each of so many blocks of a multiprocessor may have.
    fn cuOccupancyAvailableDynamicSMemPerBlock(bytes: Out<usize>, function: Handle, blocks: c_int, threads: c_int) {
        let function = find(function)?;
        let model = model(&function)?;
        let blocks = u32::try_from(blocks).ok().filter(|&blocks| blocks > 0).ok_or(Error::INVALID_VALUE)?;
        let threads = u32::try_from(threads).ok().filter(|&threads| threads > 0).ok_or(Error::INVALID_VALUE)?;
        if of_function(&model, &function, threads, 0) < blocks {
            return Err(Error::INVALID_VALUE);
        }
        let share = model.shared_per_multiprocessor / blocks / SHARED_UNIT * SHARED_UNIT;
        let taken = model.reserved_shared() + function.static_shared;
        bytes.put(share.saturating_sub(taken).min(model.most_shared() - function.static_shared) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, resident};
    use crate::model::Model;

    /// Rows of CUDA's occupancy calculator.
    #[test]
    fn blocks_are_those_of_the_calculator() {
        let sm_80 = Model::named("sm_80").expect("known");
        let sm_86 = Model::named("sm_86").expect("known");
        let blocks =
            |model, threads, registers, shared| resident(model, &Block { threads, registers, shared });
        assert_eq!(blocks(&sm_80, 256, 32, 2048), 8);
        assert_eq!(blocks(&sm_80, 1024, 64, 0), 1);
        assert_eq!(blocks(&sm_80, 256, 255, 0), 1);
        assert_eq!(blocks(&sm_80, 32, 16, 0), 32);
        assert_eq!(blocks(&sm_80, 128, 32, 100 << 10), 1);
        assert_eq!(blocks(&sm_86, 1024, 32, 0), 1);
        assert_eq!(blocks(&sm_86, 512, 32, 0), 3);
    }
}
