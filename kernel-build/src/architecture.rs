//! The GPU architectures that a package can be compiled for, known by the shape of their names.

/// Whose GPU an architecture is, which decides compiler target, flags and image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// NVIDIA's `sm_…`, built as PTX text.
    Nvidia,
    /// AMD's `gfx…`, built as an ELF code object.
    Amd,
}

impl Family {
    /// The compiler's target triple.
    pub fn triple(self) -> &'static str {
        match self {
            Self::Nvidia => "nvptx64-nvidia-cuda",
            Self::Amd => "amdgcn-amd-amdhsa",
        }
    }

    /// What an image file of this family is called at its end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Nvidia => "ptx",
            Self::Amd => "hsaco",
        }
    }
}

/// What the names of AMD's generic architectures end in.
const GENERIC: &str = "-generic";

/// One GPU architecture, such as `sm_80` or `gfx1100`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    name: String,
    family: Family,
}

impl Architecture {
    /// The architecture with this name.
    ///
    /// # Errors
    /// A name that has none of the known shapes, with a text that lists them.
    pub fn parse(name: &str) -> Result<Self, String> {
        let family = if is_nvidia(name) {
            Family::Nvidia
        } else if is_amd(name) {
            Family::Amd
        } else {
            return Err(format!(
                "`{name}` is not a GPU architecture; NVIDIA's are `sm_` and a number of 70 or more, with `a` or `f` \
                 after it in some (sm_75, sm_80, sm_90a), AMD's are `gfx` and a version, or its generic form \
                 (gfx90a, gfx942, gfx1100, gfx11-generic)"
            ));
        };
        Ok(Self { name: name.to_owned(), family })
    }

    /// Its name, as the compiler takes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its images run on a family of devices whose machine code differs, as AMD's generic ones do.
    pub(crate) fn is_generic(&self) -> bool {
        self.family == Family::Amd && self.name.ends_with(GENERIC)
    }

    /// Whose it is.
    pub fn family(&self) -> Family {
        self.family
    }
}

/// `sm_` and a number from 70 on, below which rustc has no support.
fn is_nvidia(name: &str) -> bool {
    let Some(number) = name.strip_prefix("sm_") else { return false };
    let number = number.strip_suffix(['a', 'f']).unwrap_or(number);
    (2..=3).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && number.parse::<u32>().is_ok_and(|n| n >= 70)
}

/// `gfx90a`, `gfx1100`, `gfx11-generic`, `gfx9-4-generic`.
fn is_amd(name: &str) -> bool {
    let Some(version) = name.strip_prefix("gfx") else { return false };
    match version.strip_suffix(GENERIC) {
        Some(generic) => {
            !generic.is_empty()
                && generic.split('-').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        }
        None => {
            (3..=4).contains(&version.len())
                && version.starts_with(|c: char| c.is_ascii_digit())
                && version.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_both_vendors_are_known() {
        for name in ["sm_70", "sm_75", "sm_90a", "sm_120f"] {
            assert_eq!(Architecture::parse(name).map(|a| a.family()), Ok(Family::Nvidia), "{name}");
        }
        for name in ["gfx906", "gfx90a", "gfx942", "gfx1100", "gfx11-generic", "gfx9-4-generic"] {
            assert_eq!(Architecture::parse(name).map(|a| a.family()), Ok(Family::Amd), "{name}");
        }
    }

    #[test]
    fn other_names_are_refused_with_the_known_shapes() {
        for name in [
            "",
            "sm_",
            "sm_60",
            "sm_8x",
            "sm_80a1",
            "compute_80",
            "gfx",
            "gfx11",
            "gfx-generic",
            "gfxabc",
            "GFX942",
        ] {
            let error = Architecture::parse(name).unwrap_err();
            assert!(error.contains("sm_80") && error.contains("gfx11-generic"), "{name}: {error}");
        }
    }
}
