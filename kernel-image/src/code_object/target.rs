use std::fmt;

use super::malformed;
use crate::ImageError;

/// The bits of an ELF file's flags that hold the architecture's number, `EF_AMDGPU_MACH`.
const ARCHITECTURE: u32 = 0xff;

/// Places of the settings in the flags since version 4, `EF_AMDGPU_FEATURE_XNACK_V4` and
/// `EF_AMDGPU_FEATURE_SRAMECC_V4`.
const XNACK: u32 = 8;
const SRAMECC: u32 = 10;

/// Place of the version of a generic target in the flags since version 6, `EF_AMDGPU_GENERIC_VERSION`.
const GENERIC_VERSION: u32 = 24;

/// Architectures by their numbers, the table `EF_AMDGPU_MACH` of <https://llvm.org/docs/AMDGPUUsage.html> as of LLVM 22. What came
/// before gfx900 has no runtime any more.
const ARCHITECTURES: [(u8, &str); 49] = [
    (0x2c, "gfx900"),
    (0x2d, "gfx902"),
    (0x2e, "gfx904"),
    (0x2f, "gfx906"),
    (0x30, "gfx908"),
    (0x31, "gfx909"),
    (0x32, "gfx90c"),
    (0x33, "gfx1010"),
    (0x34, "gfx1011"),
    (0x35, "gfx1012"),
    (0x36, "gfx1030"),
    (0x37, "gfx1031"),
    (0x38, "gfx1032"),
    (0x39, "gfx1033"),
    (0x3d, "gfx1035"),
    (0x3e, "gfx1034"),
    (0x3f, "gfx90a"),
    (0x40, "gfx940"),
    (0x41, "gfx1100"),
    (0x42, "gfx1013"),
    (0x43, "gfx1150"),
    (0x44, "gfx1103"),
    (0x45, "gfx1036"),
    (0x46, "gfx1101"),
    (0x47, "gfx1102"),
    (0x48, "gfx1200"),
    (0x49, "gfx1250"),
    (0x4a, "gfx1151"),
    (0x4b, "gfx941"),
    (0x4c, "gfx942"),
    (0x4e, "gfx1201"),
    (0x4f, "gfx950"),
    (0x50, "gfx1310"),
    (0x51, "gfx9-generic"),
    (0x52, "gfx10-1-generic"),
    (0x53, "gfx10-3-generic"),
    (0x54, "gfx11-generic"),
    (0x55, "gfx1152"),
    (0x57, "gfx1154"),
    (0x58, "gfx1153"),
    (0x59, "gfx12-generic"),
    (0x5a, "gfx1251"),
    (0x5b, "gfx12-5-generic"),
    (0x5c, "gfx1172"),
    (0x5d, "gfx1170"),
    (0x5e, "gfx1171"),
    (0x5f, "gfx9-4-generic"),
    (0x62, "gfx11-7-generic"),
    (0x63, "gfx13-generic"),
];

/// What a code object was compiled for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The architecture: `gfx942`, or a generic one that several devices run, `gfx11-generic`.
    pub architecture: String,
    /// The version of a generic architecture, from 1 on. A device runs those that are as new as its place in the architecture.
    pub generic_version: Option<u8>,
    /// What the code object counts on of the device's way with page faults.
    pub xnack: Setting,
    /// What the code object counts on of the device's way with memory errors.
    pub sramecc: Setting,
}

/// What a code object counts on of a setting of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The architecture has no such setting.
    Absent,
    /// The code object runs with the setting on or off.
    Any,
    /// The code object runs only where the setting is off.
    Off,
    /// The code object runs only where the setting is on.
    On,
}

impl Target {
    /// The target by an ELF file's flags. Architectures that came later are known by the name that the note
    /// has.
    pub(super) fn read(flags: u32, version: u8, named: Option<&str>) -> Result<Self, ImageError> {
        let number = flags & ARCHITECTURE;
        let known = ARCHITECTURES.iter().find(|(known, _)| u32::from(*known) == number);
        // `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`; each part may be empty.
        let named = || named?.splitn(5, '-').nth(4)?.split(':').next();
        let name = known.map(|(_, name)| *name).or_else(named).filter(|name| !name.is_empty());
        let name =
            name.ok_or_else(|| malformed(format!("its architecture is unknown, number {number:#x}")))?;
        let (xnack, sramecc) = (Setting::of(flags >> XNACK), Setting::of(flags >> SRAMECC));
        let generic_version = u8::try_from(flags >> GENERIC_VERSION).ok().filter(|&n| version >= 6 && n > 0);
        Ok(Self { architecture: name.to_owned(), generic_version, xnack, sramecc })
    }
}

/// The target as tools and runtimes write it, with the settings that matter: `gfx90a:sramecc+:xnack-`.
///
/// ```
/// use gridwright_image::code_object::{Setting, Target};
///
/// let target = Target {
///     architecture: "gfx90a".into(),
///     generic_version: None,
///     xnack: Setting::On,
///     sramecc: Setting::Any,
/// };
/// assert_eq!(target.to_string(), "gfx90a:xnack+");
/// ```
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.architecture)?;
        for (name, setting) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            match setting {
                Setting::Absent | Setting::Any => {}
                Setting::Off => write!(f, ":{name}-")?,
                Setting::On => write!(f, ":{name}+")?,
            }
        }
        Ok(())
    }
}

impl Setting {
    fn of(bits: u32) -> Self {
        match bits & 0b11 {
            0 => Self::Absent,
            1 => Self::Any,
            2 => Self::Off,
            _ => Self::On,
        }
    }
}
