use gridwright::DeviceKind;

use super::EngineKind;
use super::nccl::{Library, Vendor};
use crate::Error;
use crate::settings::parse;

/// The variable that names the engine.
const VARIABLE: &str = "GRIDWRIGHT_COMM_ENGINE";

/// What a communicator of several ranks takes: the engine, and its library where that is loaded by now.
#[derive(Debug)]
pub(crate) enum Choice {
    Mpi,
    Nccl(Library),
}

impl Choice {
    pub(crate) fn kind(&self) -> EngineKind {
        match self {
            Self::Mpi => EngineKind::Mpi,
            Self::Nccl(library) => library.vendor.kind(),
        }
    }
}

/// The engine for devices of a kind: of GPUs their maker's library if it is there, else MPI if the program was started by its launcher. The
/// variable `GRIDWRIGHT_COMM_ENGINE` names one.
///
/// # Errors
/// [`Error::NoEngine`], [`Error::EngineMissing`], [`Error::EngineUnknown`], [`Error::Environment`].
pub(crate) fn choose(rank: usize, kind: DeviceKind, has_mpi: bool) -> Result<Choice, Error> {
    let named = parse(VARIABLE, "mpi, nccl or rccl", |value| match value {
        "mpi" => Some(EngineKind::Mpi),
        "nccl" => Some(EngineKind::Nccl),
        "rccl" => Some(EngineKind::Rccl),
        _ => None,
    })?;
    let refused = |reason| Err(Error::NoEngine { rank, kind: kind.to_string(), reason });
    let makers = match kind {
        DeviceKind::Cuda => Some(Vendor::Nvidia),
        DeviceKind::Hip => Some(Vendor::Amd),
        _ => None,
    };
    match (named, makers) {
        (Some(EngineKind::Mpi), _) | (None, None) => {}
        (Some(named), Some(makers)) if named == makers.kind() => {
            return Library::load(makers).map(Choice::Nccl);
        }
        (Some(_), _) => return refused("GRIDWRIGHT_COMM_ENGINE names one that doesn't know such devices"),
        (None, Some(makers)) => match Library::load(makers) {
            Ok(library) => return Ok(Choice::Nccl(library)),
            // MPI does without it.
            Err(Error::EngineMissing { .. }) if has_mpi => {}
            Err(error) => return Err(error),
        },
    }
    if has_mpi { Ok(Choice::Mpi) } else { refused("start the program with `mpirun`") }
}
