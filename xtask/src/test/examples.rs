//! The examples check their own results: here they run, each in a folder of its own.

use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_metadata::TargetKind;

use crate::call::Call;
use crate::workspace::Workspace;

const PACKAGE: &str = "gridwright-examples";

/// What makes an example small, where its usual size would take long without vectors or on one thread.
pub(crate) const SMALL: &[(&str, &[&str])] = &[
    ("block_sum", &["--len", "1001"]),
    ("cublas_gemm", &["--rows", "50", "--inner", "70", "--cols", "60"]),
    ("histogram", &["--len", "100001"]),
    ("matrix_mul", &["--rows", "50", "--inner", "70", "--cols", "60"]),
    ("multi_device_jacobi", &["--rows", "61", "--cols", "50", "--steps", "12"]),
    ("reduction", &["--len", "100001"]),
    ("scan", &["--len", "70001"]),
    ("transpose", &["--rows", "100", "--cols", "150"]),
    ("vector_add", &["--len", "1001"]),
];

/// A way to run all examples.
struct Way {
    device: &'static str,
    variables: Vec<(&'static str, String)>,
    small: bool,
}

impl Way {
    fn on_cpu(variables: &[(&'static str, &'static str)], small: bool) -> Self {
        let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { device: "cpu", variables, small }
    }
}

pub(super) fn as_they_are(workspace: &Workspace) -> anyhow::Result<()> {
    run(workspace, &[Way::on_cpu(&[], false)])
}

pub(super) fn small(workspace: &Workspace) -> anyhow::Result<()> {
    let way = |name, value| Way::on_cpu(&[(name, value)], true);
    run(workspace, &[way("GRIDWRIGHT_CPU_ISA", "baseline"), way("GRIDWRIGHT_CPU_THREADS", "1")])
}

pub(super) fn each_isa(workspace: &Workspace) -> anyhow::Result<()> {
    let ways = available_isas().into_iter().flat_map(|isa| {
        let isa = ("GRIDWRIGHT_CPU_ISA", isa);
        let one_thread = ("GRIDWRIGHT_CPU_THREADS", "1");
        [Way::on_cpu(&[isa], false), Way::on_cpu(&[isa, one_thread], false)]
    });
    run(workspace, &ways.collect::<Vec<_>>())
}

/// `LD_LIBRARY_PATH` with a folder in front.
pub(super) fn library_path(folder: &Path) -> anyhow::Result<String> {
    let mut paths = vec![folder.to_owned()];
    if let Some(known) = std::env::var_os("LD_LIBRARY_PATH") {
        paths.extend(std::env::split_paths(&known));
    }
    let paths = std::env::join_paths(paths)?.into_string();
    paths.ok().context("LD_LIBRARY_PATH isn't UTF-8")
}

/// With the driver that lies in a folder.
pub(super) fn on_cuda(
    workspace: &Workspace,
    folder: &Path,
    (name, value): (&'static str, &str),
) -> anyhow::Result<()> {
    // Two, for the examples that use all there are.
    let devices = ("GRIDWRIGHT_EMULATOR_DEVICES", "2".to_owned());
    let variables = vec![("LD_LIBRARY_PATH", library_path(folder)?), (name, value.to_owned()), devices];
    run(workspace, &[Way { device: "cuda:0", variables, small: true }])
}

/// With the runtime that these variables have a program find.
pub(super) fn on_hip(workspace: &Workspace, variables: Vec<(&'static str, String)>) -> anyhow::Result<()> {
    run(workspace, &[Way { device: "hip:0", variables, small: true }])
}

fn run(workspace: &Workspace, ways: &[Way]) -> anyhow::Result<()> {
    Call::cargo(workspace, "build --release --bins --package").arguments([PACKAGE]).run()?;
    // Some write files: into a folder that goes away.
    let folder = tempfile::tempdir()?;
    for (name, path) in binaries(workspace)? {
        for way in ways {
            let call = Call::new(workspace, &path).directory(folder.path());
            let mut call = call.variable("GRIDWRIGHT_DEVICE", way.device);
            for (variable, value) in &way.variables {
                call = call.variable(variable, value.clone());
            }
            if way.small {
                let small = SMALL.iter().find(|(example, _)| *example == name);
                call = call.arguments(small.map_or(&[][..], |(_, arguments)| *arguments));
            }
            println!("$ {call}");
            call.run()?;
        }
    }
    Ok(())
}

fn binaries(workspace: &Workspace) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let folder = workspace.metadata.target_directory.join("release");
    let targets = workspace.member(PACKAGE)?.targets.iter();
    let binaries = targets.filter(|target| target.kind.contains(&TargetKind::Bin));
    let path =
        |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).into_std_path_buf();
    Ok(binaries.map(|target| (target.name.clone(), path(&target.name))).collect())
}

/// Those that `GRIDWRIGHT_CPU_ISA` takes on this machine. The host refuses the others.
fn available_isas() -> Vec<&'static str> {
    let mut isas = vec!["baseline"];
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        isas.extend(avx2.then_some("avx2"));
        isas.extend((avx2 && std::arch::is_x86_feature_detected!("avx512vl")).then_some("avx512"));
    }
    isas
}
