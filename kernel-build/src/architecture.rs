//! The GPU architectures that a package can be compiled for, known by the shape of their names.

/// The vendor whose GPU an architecture is of, which decides compiler target, flags and image format.
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

    /// The ending of the names of this family's image files.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Nvidia => "ptx",
            Self::Amd => "hsaco",
        }
    }
}

/// The ending of the names of AMD's generic architectures.
const GENERIC: &str = "-generic";

/// One GPU architecture, such as `sm_80` or `gfx1100`.
///
/// # From CUDA
/// The value of `nvcc -arch`, or `--offload-arch` of `hipcc`.
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
        let family = if nvidia_number(name).is_some() {
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

    /// The architecture's name, as the compiler takes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The processor that all crates of an image are compiled for, `core` included, where it isn't the compiler's own choice. AMD's code
    /// for different processors doesn't inline, and there is no common one. On NVIDIA only the image's crate is compiled for its very
    /// processor, and panics are handled in another crate: from sm_90 on they know of clusters.
    pub(crate) fn of_all_crates(&self) -> Option<&str> {
        match self.family {
            Family::Nvidia => nvidia_number(&self.name).is_some_and(|number| number >= 90).then_some("sm_90"),
            Family::Amd => Some(&self.name),
        }
    }

    /// The version of PTX that its images need, where the compiler's choice is an older one: it takes the first that knows the
    /// processor, and bulk copies came a version after sm_90. Drivers since CUDA 12.0 read it.
    pub(crate) fn instructions(&self) -> Option<&'static str> {
        (self.name == "sm_90").then_some("ptx80")
    }

    /// Whether the architecture's images run on a family of devices whose machine code differs, as AMD's
    /// generic ones do.
    pub(crate) fn is_generic(&self) -> bool {
        self.family == Family::Amd && self.name.ends_with(GENERIC)
    }

    /// What of AMD's matrix instructions it has: values of the cfg `gridwright_matrix_units`, by which the device library picks
    /// what it calls. The compiler tells it neither processor nor features. Source: LLVM's `GCNProcessors.td` and `AMDGPU.td`.
    pub(crate) fn matrix_units(&self) -> &'static [&'static str] {
        match self.name.as_str() {
            "gfx942" => &["mfma", "xf32"],
            "gfx950" | "gfx9-4-generic" => &["mfma"],
            "gfx1100" | "gfx1101" | "gfx1102" | "gfx1103" | "gfx1150" | "gfx1151" | "gfx1152" | "gfx1153"
            | "gfx11-generic" => &["wmma"],
            _ => &[],
        }
    }

    /// The 90 of `sm_90`. An AMD architecture has none, and one with a letter is another than that without.
    pub(crate) fn number(&self) -> Option<u32> {
        self.name.strip_prefix("sm_")?.parse().ok()
    }

    /// The vendor whose architecture it is.
    pub fn family(&self) -> Family {
        self.family
    }
}

/// The 90 of `sm_90` and of `sm_90a`: a number from 70 on, below which rustc has no support.
fn nvidia_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("sm_")?;
    let number = number.strip_suffix(['a', 'f']).unwrap_or(number);
    let is_number = (2..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|&number| is_number && number >= 70)
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
    fn newer_instructions_are_asked_for_where_the_compiler_would_take_older_ones() {
        for (name, version) in [("sm_80", None), ("sm_90", Some("ptx80")), ("sm_90a", None), ("sm_120", None)]
        {
            assert_eq!(Architecture::parse(name).unwrap().instructions(), version, "{name}");
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
