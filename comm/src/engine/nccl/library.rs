use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;

use super::abi::{DataType, Functions, OLDEST, RedOp, SUCCESS, UniqueId, reason};
use crate::element::Number;
use crate::engine::EngineKind;
use crate::settings::parse;
use crate::{Error, ReduceOp};

/// ROCm's folder, where `ROCM_PATH` names no other.
const ROCM: &str = "/opt/rocm";

/// Whose GPUs a library is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vendor {
    Nvidia,
    Amd,
}

impl Vendor {
    pub(crate) fn kind(self) -> EngineKind {
        match self {
            Self::Nvidia => EngineKind::Nccl,
            Self::Amd => EngineKind::Rccl,
        }
    }

    pub(super) fn engine(self) -> &'static str {
        self.kind().name()
    }

    /// The variable with the library's path.
    fn variable(self) -> &'static str {
        match self {
            Self::Nvidia => "GRIDWRIGHT_NCCL_LIBRARY",
            Self::Amd => "GRIDWRIGHT_RCCL_LIBRARY",
        }
    }

    /// All places where the library may be, in order. ROCm's folder isn't among the system's.
    fn places(self) -> Vec<PathBuf> {
        let (names, folders) = match self {
            Self::Nvidia => (["libnccl.so.2", "libnccl.so"], vec![]),
            Self::Amd => {
                let named = std::env::var_os("ROCM_PATH").map(PathBuf::from);
                (["librccl.so.1", "librccl.so"], [named, Some(ROCM.into())].into_iter().flatten().collect())
            }
        };
        let folders = folders.iter().filter(|folder| folder.is_absolute());
        let in_folders = folders.flat_map(|folder| names.map(|name| folder.join("lib").join(name)));
        names.iter().map(PathBuf::from).chain(in_folders).collect()
    }

    fn install(self) -> &'static str {
        match self {
            Self::Nvidia => {
                "install NVIDIA's package libnccl2, or `pip install nvidia-nccl-cu13` and name its \
                 `nvidia/nccl/lib/libnccl.so.2` in GRIDWRIGHT_NCCL_LIBRARY"
            }
            Self::Amd => "install ROCm's package rccl, or name the library in GRIDWRIGHT_RCCL_LIBRARY",
        }
    }
}

/// NCCL or RCCL, as the program has it.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) vendor: Vendor,
    pub(super) functions: Functions,
}

impl Library {
    /// Loads the library, once and for ever.
    ///
    /// # Errors
    /// [`Error::EngineMissing`], [`Error::EngineUnknown`].
    pub(crate) fn load(vendor: Vendor) -> Result<Self, Error> {
        let named = parse(vendor.variable(), "a library's path", |value| Some(value.into()))?;
        Self::first_of(vendor, named.map_or_else(|| vendor.places(), |path| vec![path]))
    }

    fn first_of(vendor: Vendor, places: Vec<PathBuf>) -> Result<Self, Error> {
        let mut reasons = Vec::new();
        for place in places {
            // SAFETY: the initialisers of NCCL and RCCL do what those of a program do that is linked with them.
            match unsafe { libloading::Library::new(&place) } {
                Ok(library) => return Self::of(vendor, Box::leak(Box::new(library))),
                Err(error) => reasons.push(reason(&error)),
            }
        }
        let reason = reasons.join("; ");
        Err(Error::EngineMissing { engine: vendor.engine(), reason, install: vendor.install() })
    }

    fn of(vendor: Vendor, library: &'static libloading::Library) -> Result<Self, Error> {
        let unknown = |reason| Error::EngineUnknown { engine: vendor.engine(), reason };
        let functions = Functions::find(library).map_err(unknown)?;
        let mut version = 0;
        // SAFETY: an address for a number.
        let status = unsafe { (functions.version)(&mut version) };
        if status != SUCCESS || version < OLDEST {
            return Err(unknown(format!(
                "its version is {version}, and {OLDEST} is the oldest that is known"
            )));
        }
        Ok(Self { vendor, functions })
    }

    /// An id that one rank makes and gives to all.
    ///
    /// # Errors
    /// The library's message.
    pub(super) fn unique_id(&self) -> Result<UniqueId, String> {
        let mut id = UniqueId([0; 128]);
        // SAFETY: an address for an id.
        self.check(unsafe { (self.functions.unique_id)(&mut id) })?;
        Ok(id)
    }

    /// # Errors
    /// The library's message, if a call didn't answer [`SUCCESS`].
    pub(super) fn check(&self, status: c_int) -> Result<(), String> {
        if status == SUCCESS { Ok(()) } else { Err(self.message(status)) }
    }

    /// What the library says of a result, and of the last error.
    pub(super) fn message(&self, status: c_int) -> String {
        // SAFETY: the call takes any number.
        let meaning = said(unsafe { (self.functions.error_string)(status) });
        // SAFETY: the call takes no communicator too: the last error is the process's.
        let last = said(unsafe { (self.functions.last_error)(std::ptr::null_mut()) });
        if last.is_empty() { meaning } else { format!("{meaning}: {last}") }
    }
}

impl From<Number> for DataType {
    fn from(number: Number) -> Self {
        match number {
            Number::I8 => Self::Int8,
            Number::U8 => Self::Uint8,
            Number::I32 => Self::Int32,
            Number::U32 => Self::Uint32,
            Number::I64 => Self::Int64,
            Number::U64 => Self::Uint64,
            Number::F32 => Self::Float32,
            Number::F64 => Self::Float64,
        }
    }
}

impl From<ReduceOp> for RedOp {
    fn from(operator: ReduceOp) -> Self {
        match operator {
            ReduceOp::Sum => Self::Sum,
            ReduceOp::Product => Self::Product,
            ReduceOp::Minimum => Self::Minimum,
            ReduceOp::Maximum => Self::Maximum,
        }
    }
}

/// A text of the library's.
fn said(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null; the library's texts end with a zero, and live as long as it does.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Library, Vendor};
    use crate::Error;

    #[test]
    fn a_missing_library_says_what_to_install() {
        for (vendor, package) in [(Vendor::Nvidia, "nvidia-nccl-cu13"), (Vendor::Amd, "rccl")] {
            let error = Library::first_of(vendor, vec!["libof-nobody.so.2".into()]).unwrap_err();
            assert!(matches!(error, Error::EngineMissing { engine, .. } if engine == vendor.engine()));
            let said = error.to_string();
            assert!(said.contains("libof-nobody.so.2") && said.contains(package), "{said}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn another_library_is_not_taken_for_it() {
        let error = Library::first_of(Vendor::Nvidia, vec!["libc.so.6".into()]).unwrap_err();
        assert!(matches!(error, Error::EngineUnknown { engine: "NCCL", .. }), "{error}");
        assert!(error.to_string().contains("ncclGetVersion"), "{error}");
    }

    #[test]
    fn the_systems_library_comes_before_rocms() {
        assert_eq!(Vendor::Nvidia.places(), ["libnccl.so.2", "libnccl.so"].map(PathBuf::from));
        let places = Vendor::Amd.places();
        assert_eq!(places[..2], ["librccl.so.1", "librccl.so"].map(PathBuf::from));
        assert!(places.contains(&"/opt/rocm/lib/librccl.so.1".into()));
    }
}
