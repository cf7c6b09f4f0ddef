//! The programs of a bundle.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use cargo_metadata::{Artifact, Message, TargetKind};

use crate::checked;
use crate::workspace::Workspace;

/// The package whose programs and images a bundle has.
const EXAMPLES: &str = "gridwright-examples";
/// The packages of tests and benches.
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
    fn of(kinds: &[TargetKind], name: &str) -> Option<Self> {
        match kinds {
            [TargetKind::Bin] => Some(Self::Example),
            [TargetKind::Test] if COMPILED.contains(&name) => Some(Self::Compiled),
            [TargetKind::Test] => Some(Self::Test),
            [TargetKind::Bench] => Some(Self::Bench),
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

impl Profile {
    /// The arguments that cargo is given.
    fn arguments(self) -> Vec<&'static str> {
        match self {
            Self::Release => {
                let tests = TESTS.iter().chain(&COMPILED).flat_map(|test| ["--test", test]);
                let benches = BENCHES.iter().flat_map(|bench| ["--bench", bench]);
                let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
                ["--release", "--bins"].into_iter().chain(packages).chain(tests).chain(benches).collect()
            }
            Self::Checked => {
                [&["--profile", checked::PROFILE, "--all-targets"], &checked::SELECTION[..]].concat()
            }
        }
    }
}

/// Builds everything; cargo shows how far it is.
///
/// # Errors
/// Where the build fails, also for want of the device toolchain.
pub(super) fn build(workspace: &Workspace, profile: Profile) -> anyhow::Result<Built> {
    let mut cargo = Command::new("cargo");
    cargo
        .arg("build")
        .args(profile.arguments())
        .args(["--message-format", "json-render-diagnostics"])
        .env("GRIDWRIGHT_REQUIRE_DEVICE", "1");
    let output = cargo.current_dir(&workspace.root).stderr(Stdio::inherit()).output();
    let output = output.context("can't start cargo")?;
    ensure!(output.status.success(), "{}: {cargo:?}", output.status);

    let examples = &workspace.member(EXAMPLES)?.id;
    let mut packages = Vec::new();
    for package in PACKAGES {
        packages.push(&workspace.member(package)?.id);
    }
    let (mut programs, mut images) = (Vec::new(), None);
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message? {
            Message::CompilerArtifact(artifact) if packages.contains(&&artifact.package_id) => {
                programs.extend(program(artifact));
            }
            Message::BuildScriptExecuted(script) if script.package_id == *examples => {
                images = Some(script.out_dir.join("gridwright").into_std_path_buf());
            }
            _ => {}
        }
    }
    let least = [
        (Kind::Example, 1),
        (Kind::Test, TESTS.len()),
        (Kind::Compiled, COMPILED.len()),
        (Kind::Bench, BENCHES.len()),
    ];
    for (kind, least) in least {
        let count = programs.iter().filter(|program| program.kind == kind).count();
        ensure!(count >= least, "cargo built {count} {}, not {least}", kind.folder());
    }
    let images =
        images.with_context(|| format!("cargo didn't say where the build script of {EXAMPLES} writes"))?;
    Ok(Built { programs, images })
}

fn program(artifact: Artifact) -> Option<Program> {
    let name = &*artifact.target.name;
    let kind = Kind::of(&artifact.target.kind, name)?;
    let is_wanted = match kind {
        // Of these cargo also makes programs with their unit tests.
        Kind::Example => !artifact.profile.test,
        Kind::Test => TESTS.contains(&name),
        Kind::Compiled => true,
        Kind::Bench => BENCHES.contains(&name),
    };
    is_wanted.then_some(())?;
    Some(Program { kind, name: artifact.target.name, path: artifact.executable?.into_std_path_buf() })
}
