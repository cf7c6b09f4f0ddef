//! For which architecture a code object is. Source: LLVM's "User Guide for AMDGPU Backend", `EF_AMDGPU_MACH` and what follows it.

use crate::model::Model;

/// Of the flags of the ELF header.
const MACH: u32 = 0xff;
const XNACK: u32 = 0x300;
const XNACK_ON: u32 = 0x300;
const SRAMECC: u32 = 0xc00;
const SRAMECC_OFF: u32 = 0x800;
const GENERIC_VERSION: u32 = 24;

/// Architectures, by the number in the flags.
const NAMES: &[(u32, &str)] = &[
    (0x02c, "gfx900"),
    (0x02f, "gfx906"),
    (0x030, "gfx908"),
    (0x033, "gfx1010"),
    (0x036, "gfx1030"),
    (0x03f, "gfx90a"),
    (0x041, "gfx1100"),
    (0x043, "gfx1150"),
    (0x044, "gfx1103"),
    (0x046, "gfx1101"),
    (0x047, "gfx1102"),
    (0x048, "gfx1200"),
    (0x04a, "gfx1151"),
    (0x04c, "gfx942"),
    (0x04e, "gfx1201"),
    (0x04f, "gfx950"),
    (0x051, "gfx9-generic"),
    (0x052, "gfx10-1-generic"),
    (0x053, "gfx10-3-generic"),
    (0x054, "gfx11-generic"),
    (0x055, "gfx1152"),
    (0x058, "gfx1153"),
    (0x059, "gfx12-generic"),
    (0x05f, "gfx9-4-generic"),
];

/// Generic code, and the architectures of ours that it covers.
const COVERED: &[(&str, &str)] = &[("gfx11-generic", "gfx1100"), ("gfx9-4-generic", "gfx942")];

/// # Errors
/// Why code with these flags doesn't run on a device.
pub(crate) fn check(flags: u32, model: &Model) -> Result<(), String> {
    let found = NAMES.iter().find(|(number, _)| *number == flags & MACH).map(|(_, name)| *name);
    let Some(name) = found else {
        return Err(format!("it is for architecture {:#x}, which nobody here knows", flags & MACH));
    };
    let refused = |why: String| Err(format!("it is for {name}{why}, and the device is {}", model.full_name));
    if COVERED.contains(&(name, model.name)) {
        return match flags >> GENERIC_VERSION {
            1..=Model::GENERIC => Ok(()),
            version => refused(format!(" of version {version}")),
        };
    }
    if name != model.name {
        return refused(String::new());
    }
    // Devices that have these features have XNACK off and SRAM-ECC on.
    match (flags & XNACK == XNACK_ON, flags & SRAMECC == SRAMECC_OFF) {
        (true, _) => refused(":xnack+".into()),
        (_, true) => refused(":sramecc-".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::model::Model;

    #[test]
    fn code_runs_on_its_architecture_and_generic_code_on_what_it_covers() {
        let (wave_32, wave_64) = (Model::DEFAULT, Model::named("gfx942").expect("there is one"));
        for (flags, runs_on_32, runs_on_64) in [
            (0x041, true, false),
            (0x54c, false, true),
            (0x74c, false, false),
            (0x94c, false, false),
            (0x0100_0054, true, false),
            (0x0200_0054, false, false),
            (0x0000_0054, false, false),
            (0x0100_055f, false, true),
            (0x0100_0551, false, false),
            (0x036, false, false),
            (0x0ff, false, false),
        ] {
            let runs = (check(flags, &wave_32).is_ok(), check(flags, &wave_64).is_ok());
            assert_eq!(runs, (runs_on_32, runs_on_64), "{flags:#x}");
        }
        let said = check(0x041, &wave_64).expect_err("another");
        assert_eq!(said, "it is for gfx1100, and the device is gfx942:sramecc+:xnack-");
    }
}
