//! The programs of a bundle.

use std::path::PathBuf;

use anyhow::ensure;
use cargo_metadata::{Artifact, Message, TargetKind};

use crate::call::Call;
use crate::checked;
use crate::images::{self, EXAMPLES};
use crate::workspace::Workspace;

/// The packages whose programs, tests and benches a bundle has.
const PACKAGES: [&str; 4] =
    [EXAMPLES, "gridwright-races", "gridwright-primitives", "gridwright-primitives-races"];

/// Tests of what happens on a GPU. The others look at files or at the emulators.
const TESTS: [&str; 5] = ["cuda", "records", "everywhere", "conformance", "primitives"];
/// Tests of what compilers make of kernels. An emulated driver, which runs the PTX as it stands, tells nothing of them.
const COMPILED: [&str; 3] = ["compilers", "core_numbers", "library"];
const BENCHES: [&str; 3] = ["gpu", "launch_cost", "primitives_gpu"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Example,
    Test,
    Compiled,
    Bench,
}

impl Kind {
    /// What an artifact is in the bundle, if it is in there.
    fn of(Artifact { target, profile, .. }: &Artifact) -> Option<Self> {
        let name = &*target.name;
        match *target.kind {
            // Of these cargo also makes programs with their unit tests.
            [TargetKind::Bin] if !profile.test => Some(Self::Example),
            [TargetKind::Test] if COMPILED.contains(&name) => Some(Self::Compiled),
            [TargetKind::Test] if TESTS.contains(&name) => Some(Self::Test),
            [TargetKind::Bench] if BENCHES.contains(&name) => Some(Self::Bench),
            _ => None,
        }
    }

    /// The programs' folder in the bundle's `bin`.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Example => "examples",
            Self::Test => "tests",
            Self::Compiled => "compiled",
            Self::Bench => "benches",
        }
    }
}

pub(super) struct Program {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) path: PathBuf,
}

pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// The folder of the programs' device images.
    pub(super) images: PathBuf,
}

/// How the programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The programs as they are measured.
    Release,
    /// The programs as the other checks have compiled them.
    Checked,
}

/// Builds everything; cargo shows how far it is.
///
/// # Errors
/// Where the build fails, also for want of the device toolchain.
pub(super) fn build(workspace: &Workspace, profile: Profile) -> anyhow::Result<Built> {
    let cargo = match profile {
        Profile::Release => {
            let tests = TESTS.iter().chain(&COMPILED).flat_map(|test| ["--test", test]);
            let benches = BENCHES.iter().flat_map(|bench| ["--bench", bench]);
            let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
            Call::cargo(workspace, "build --release --bins").arguments(packages.chain(tests).chain(benches))
        }
        Profile::Checked => checked::cargo(workspace, "build").arguments(["--all-targets"]),
    };
    let messages = images::messages(cargo.variable("GRIDWRIGHT_REQUIRE_DEVICE", "1"))?;
    let images = images::folder(workspace, EXAMPLES, &messages)?;
    let packages = PACKAGES.map(|package| workspace.member(package).map(|member| &member.id));
    let is_ours = |artifact: &Artifact| packages.iter().flatten().any(|id| **id == artifact.package_id);
    let programs = messages.into_iter().filter_map(|message| match message {
        Message::CompilerArtifact(artifact) if is_ours(&artifact) => {
            let (kind, path) = (Kind::of(&artifact)?, artifact.executable?.into());
            Some(Program { kind, name: artifact.target.name, path })
        }
        _ => None,
    });
    let programs: Vec<_> = programs.collect();
    for (kind, least) in [
        (Kind::Example, 1),
        (Kind::Test, TESTS.len()),
        (Kind::Compiled, COMPILED.len()),
        (Kind::Bench, BENCHES.len()),
    ] {
        let count = programs.iter().filter(|program| program.kind == kind).count();
        ensure!(count >= least, "cargo built {count} {}, not {least}", kind.folder());
    }
    Ok(Built { programs, images })
}
