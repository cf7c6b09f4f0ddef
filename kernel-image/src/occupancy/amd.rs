//! AMD's compute units and, from `gfx10` on, workgroup processors.
//!
//! Sources: LLVM's `AMDGPUBaseInfo.cpp`, namespace `IsaInfo`, for waves, registers and what they are given in; LLVM's *User Guide for
//! AMDGPU Backend*, <https://llvm.org/docs/AMDGPUUsage.html>, for which architectures a generic one is for.

use super::Processor;

/// What architectures of a kind have.
struct Model {
    wave: u32,
    waves_of_unit: u32,
    registers: u32,
    granule: u32,
}

/// Model of the accelerators from MI200 on, whose registers are those of vectors and of accumulators together.
const CDNA: Model = Model { wave: 64, waves_of_unit: 8, registers: 512, granule: 8 };
const VEGA: Model = Model { wave: 64, waves_of_unit: 10, registers: 256, granule: 4 };
const RDNA_1: Model = Model { wave: 32, waves_of_unit: 20, registers: 1024, granule: 8 };
const RDNA_2: Model = Model { wave: 32, waves_of_unit: 16, registers: 1024, granule: 16 };
/// Model of those that have half as many registers again.
const LARGE: Model = Model { wave: 32, waves_of_unit: 16, registers: 1536, granule: 24 };

/// Vector units of a compute unit, and of a workgroup processor.
const UNITS: u32 = 4;

/// Scalar registers of a unit up to `gfx9`; later ones have enough for all waves.
const SCALAR_REGISTERS: u32 = 800;

/// Workgroups with a barrier on a compute unit.
const BARRIERS: u32 = 16;

pub(super) fn processor(architecture: &str) -> Option<Processor> {
    // Settings of the device stand behind a colon: `gfx90a:xnack+`.
    let name = architecture.split(':').next()?;
    let model = match name {
        "gfx90a" | "gfx940" | "gfx941" | "gfx942" | "gfx950" | "gfx9-4-generic" => CDNA,
        "gfx900" | "gfx902" | "gfx904" | "gfx906" | "gfx908" | "gfx909" | "gfx90c" | "gfx9-generic" => VEGA,
        "gfx1010" | "gfx1011" | "gfx1012" | "gfx1013" | "gfx10-1-generic" => RDNA_1,
        "gfx1030" | "gfx1031" | "gfx1032" | "gfx1033" | "gfx1034" | "gfx1035" | "gfx1036"
        | "gfx10-3-generic" => RDNA_2,
        "gfx1102" | "gfx1103" | "gfx1150" | "gfx1152" | "gfx1153" | "gfx11-generic" => RDNA_2,
        "gfx1100" | "gfx1101" | "gfx1151" | "gfx1200" | "gfx1201" | "gfx12-generic" => LARGE,
        _ => return None,
    };
    let of_two_compute_units = model.wave == 32;
    let waves = UNITS * model.waves_of_unit;
    Some(Processor {
        warp: model.wave,
        units: UNITS,
        warps_of_unit: model.waves_of_unit,
        registers_of_unit: model.registers,
        register_granule: model.granule,
        scalar_registers_of_unit: (!of_two_compute_units).then_some(SCALAR_REGISTERS),
        groups: waves,
        groups_with_barrier: if of_two_compute_units { 2 * BARRIERS } else { BARRIERS },
        memory: match name {
            "gfx950" => 160 << 10,
            _ if of_two_compute_units => 128 << 10,
            _ => 64 << 10,
        },
        memory_granule: if name == "gfx950" { 1280 } else { 512 },
        memory_reserved: 0,
    })
}
