//! What callers ask of occupancy.

use std::ffi::{c_int, c_uint};

use crate::abi::{In, Out};
use crate::error::Error;
use crate::function::Function;
use crate::function_calls::find;
use crate::launch::Config;
use crate::model::Model;
use crate::occupancy::{SHARED_UNIT, largest_cluster, of_function};
use crate::process::process;
use crate::registry::Handle;

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
