use super::*;

fn of(architecture: &str, threads: u32, registers: u32, workgroup_bytes: u32) -> (u32, Limit) {
    let usage = Usage { threads, registers, workgroup_bytes, ..Usage::default() };
    let occupancy = Processor::of(architecture).unwrap().occupancy(&usage);
    (occupancy.groups, occupancy.limit)
}

/// Rows of CUDA's occupancy calculator.
#[test]
fn groups_of_nvidias_are_those_of_the_calculator() {
    assert_eq!(of("sm_80", 256, 32, 2048), (8, Limit::Warps));
    assert_eq!(of("sm_80", 1024, 64, 0), (1, Limit::Registers));
    assert_eq!(of("sm_80", 256, 255, 0), (1, Limit::Registers));
    assert_eq!(of("sm_80", 32, 16, 0), (32, Limit::Groups));
    assert_eq!(of("sm_80", 128, 32, 100 << 10), (1, Limit::WorkgroupMemory));
    assert_eq!(of("sm_86", 1024, 32, 0), (1, Limit::Warps));
    assert_eq!(of("sm_86", 512, 32, 0), (3, Limit::Warps));
    assert_eq!(of("sm_75", 256, 64, 0), (4, Limit::Warps));
}

/// What LLVM says as `; Occupancy:` of kernels with so many registers: waves of a unit.
#[test]
fn waves_of_amds_are_those_that_the_compiler_says() {
    let waves = |architecture: &str, registers| {
        let processor = Processor::of(architecture).unwrap();
        let usage = Usage { threads: processor.warp, registers, scalar_registers: 16, workgroup_bytes: 0 };
        processor.occupancy(&usage).warps / processor.units
    };
    assert_eq!([64, 65, 128, 129, 256, 512].map(|r| waves("gfx942", r)), [8, 7, 4, 3, 2, 1]);
    assert_eq!([24, 25, 64, 65, 256].map(|r| waves("gfx906", r)), [10, 9, 4, 3, 1]);
    assert_eq!([96, 97, 120, 192, 256].map(|r| waves("gfx1100", r)), [16, 12, 12, 8, 5]);
    assert_eq!([64, 65, 128, 129].map(|r| waves("gfx1030", r)), [16, 12, 8, 7]);
}

#[test]
fn scalar_registers_limit_waves_up_to_gfx9() {
    let waves = |scalar_registers| {
        let usage = Usage { threads: 64, registers: 4, scalar_registers, workgroup_bytes: 0 };
        Processor::of("gfx906").unwrap().occupancy(&usage).warps / 4
    };
    assert_eq!([80, 81, 88, 89, 100, 101].map(waves), [10, 9, 9, 8, 8, 7]);
    let many = Usage { threads: 32, registers: 4, scalar_registers: 106, workgroup_bytes: 0 };
    assert_eq!(Processor::of("gfx1100").unwrap().occupancy(&many).fraction(), 1.0);
}

#[test]
fn what_does_not_fit_runs_in_no_group() {
    assert_eq!(of("sm_80", 1024, 128, 0), (0, Limit::Registers));
    assert_eq!(of("gfx942", 64, 8, (64 << 10) + 1), (0, Limit::WorkgroupMemory));
    assert_eq!(of("sm_80", u32::MAX, u32::MAX, u32::MAX).0, 0);
    // No sizes at all are those of one warp.
    assert_eq!(of("sm_80", 0, 0, 0), (32, Limit::Groups));
}

#[test]
fn architectures_with_letters_settings_and_generic_ones_are_known() {
    assert_eq!(Processor::of("sm_90a"), Processor::of("sm_90"));
    assert_eq!(Processor::of("gfx942:sramecc+:xnack-"), Processor::of("gfx9-4-generic"));
    for unknown in ["", "sm_", "sm_60", "sm_9999999999", "gfx", "gfx803", "gfx13-generic"] {
        assert_eq!(Processor::of(unknown), None, "{unknown}");
    }
}
