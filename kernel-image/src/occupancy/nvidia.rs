//! NVIDIA's multiprocessors.
//!
//! Sources: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability"; CUDA's occupancy calculator for what
//! registers and memory are given in.

use super::Processor;

/// Compute capability, the most threads, the most workgroups and the KiB of workgroup memory of a multiprocessor.
const MODELS: [(u32, u32, u32, u32); 9] = [
    (70, 2048, 32, 96),
    (75, 1024, 16, 64),
    (80, 2048, 32, 164),
    (86, 1536, 16, 100),
    (87, 1536, 16, 164),
    (89, 1536, 24, 100),
    (90, 2048, 32, 228),
    (100, 2048, 32, 228),
    (120, 1536, 24, 100),
];

const WARP: u32 = 32;

/// A multiprocessor has four parts, which share its warps and its 65536 registers.
const UNITS: u32 = 4;
const REGISTERS_OF_LANE: u32 = 65_536 / UNITS / WARP;

/// A warp gets registers in units of 256.
const REGISTER_GRANULE: u32 = 256 / WARP;

pub(super) fn processor(architecture: &str) -> Option<Processor> {
    let number = architecture.strip_prefix("sm_")?;
    let number: u32 = number.strip_suffix(['a', 'f']).unwrap_or(number).parse().ok()?;
    let (_, threads, groups, memory) = MODELS.into_iter().find(|(model, ..)| *model == number)?;
    let is_new = number >= 80;
    Some(Processor {
        warp: WARP,
        units: UNITS,
        warps_of_unit: threads / WARP / UNITS,
        registers_of_unit: REGISTERS_OF_LANE,
        register_granule: REGISTER_GRANULE,
        scalar_registers_of_unit: None,
        groups,
        groups_with_barrier: groups,
        memory: memory << 10,
        memory_granule: if is_new { 128 } else { 256 },
        memory_reserved: if is_new { 1 << 10 } else { 0 },
    })
}
