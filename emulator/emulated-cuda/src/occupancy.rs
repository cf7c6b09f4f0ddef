//! How many blocks of a kernel a multiprocessor takes, counted as CUDA's calculator does.

use crate::function::Function;
use crate::model::Model;

/// Registers are given in units of this, to a warp.
const REGISTER_UNIT: u32 = 256;
/// A multiprocessor has so many parts, each with a share of warps and registers.
pub(crate) const PARTS: u32 = 4;
/// Shared memory is given in units of so many bytes.
pub(crate) const SHARED_UNIT: u32 = 128;

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
