//! The examples check their own results: here they run, each in a folder of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use cargo_metadata::TargetKind;
use itertools::Itertools;

use crate::call::{Call, Variables, library_path};
use crate::checked;
use crate::images::EXAMPLES;
use crate::workspace::Workspace;

const HIP: &str = "hip:0";

/// What makes an example small, where its usual size would take long without vectors or on one thread.
pub(crate) const SMALL: &[(&str, &[&str])] = &[
    ("async_api", &["--len", "2001"]),
    ("babel_stream", &["--only", "All", "--arraysize", "4099", "--numtimes", "3"]),
    ("bandwidth_test", &["--bytes", "8004"]),
    ("bfs", &["--nodes", "601"]),
    ("bilateral_filter", &["--most", "20", "--radius", "2"]),
    ("binary_partition", &["--len", "601"]),
    ("binomial_options", &["--options", "2", "--steps", "30"]),
    ("black_scholes", &["--len", "2001"]),
    ("block_sum", &["--len", "1001"]),
    ("box_filter", &["--most", "40", "--radius", "1", "--times", "1"]),
    ("conjugate_gradient_multi_block_cg", &["--len", "300"]),
    ("convolution_separable", &["--rows", "30", "--cols", "70"]),
    ("convolution_texture", &["--rows", "20", "--cols", "33"]),
    ("cublas_gemm", &["--rows", "50", "--inner", "70", "--cols", "60"]),
    ("cufft", &["--len", "1024"]),
    ("dct8x8", &["--rows", "24", "--cols", "56"]),
    ("dwt_haar_1d", &["--len", "2048"]),
    ("dxtc", &["--rows", "4", "--cols", "8"]),
    ("eigenvalues", &["--rows", "20"]),
    ("fast_walsh_transform", &["--len", "1024", "--kernel", "10"]),
    ("fdtd3d", &["--size", "13", "--steps", "2"]),
    ("foreign_kernel", &["--len", "1001"]),
    ("global_to_shmem_async_copy", &["--rows", "40", "--inner", "70", "--cols", "50"]),
    ("graph_memory_nodes", &["--len", "601", "--replays", "2"]),
    ("histogram", &["--len", "100001"]),
    ("hotspot", &["--rows", "33", "--cols", "130", "--steps", "4"]),
    ("image_denoising", &["--most", "6"]),
    ("jacobi_cuda_graphs", &["--len", "10"]),
    ("layernorm", &["--rows", "11", "--cols", "601"]),
    ("line_of_sight", &["--len", "2001"]),
    ("mandelbrot", &["--rows", "30", "--cols", "40", "--most", "64"]),
    ("matrix_mul", &["--rows", "50", "--inner", "71", "--cols", "70"]),
    ("mc_estimate_pi", &["--groups", "3", "--points", "20"]),
    ("merge_sort", &["--len", "1001"]),
    ("monte_carlo", &["--options", "3", "--paths", "4"]),
    ("multi_device_jacobi", &["--rows", "61", "--cols", "50", "--steps", "12"]),
    ("nbody", &["--len", "100", "--steps", "3"]),
    ("needleman_wunsch", &["--rows", "70", "--cols", "100"]),
    ("particles", &["--len", "200", "--steps", "2", "--cells", "10"]),
    ("quasirandom_generator", &["--points", "700"]),
    ("radix_sort", &["--len", "601"]),
    ("recursive_gaussian", &["--most", "30", "--sigma", "2"]),
    ("reduction", &["--len", "100001"]),
    ("scalar_prod", &["--pairs", "3", "--len", "601"]),
    ("scan", &["--len", "70001"]),
    ("shfl_scan", &["--len", "1001"]),
    ("simple_atomic_intrinsics", &["--threads", "500"]),
    ("simple_cuda_graphs", &["--len", "10001"]),
    ("simple_layered_texture", &["--layers", "3", "--rows", "9", "--cols", "17"]),
    ("simple_multi_copy", &["--len", "1001", "--pieces", "5"]),
    ("simple_occupancy", &["--len", "1001"]),
    ("simple_streams", &["--len", "2001"]),
    ("simple_surface_write", &["--rows", "21", "--cols", "34"]),
    ("simple_texture", &["--most", "40"]),
    ("simple_vote_intrinsics", &["--threads", "500"]),
    ("simple_zero_copy", &["--len", "1001"]),
    ("sobol_qrng", &["--points", "601", "--dimensions", "7"]),
    ("softmax", &["--rows", "5", "--cols", "601"]),
    ("sorting_networks", &["--len", "1024"]),
    ("spmv", &["--rows", "601"]),
    ("stream_compaction", &["--len", "3001"]),
    ("stream_ordered_allocation", &["--len", "1001", "--rounds", "3"]),
    ("tensor_core_gemm", &["--rows", "40", "--inner-eights", "5", "--col-eights", "4"]),
    ("thread_fence_reduction", &["--len", "20001"]),
    ("transpose", &["--rows", "100", "--cols", "150"]),
    ("vector_add", &["--len", "1001"]),
    ("warp_aggregated_atomics", &["--len", "5001"]),
];

/// What is small enough for the emulated AMD GPU besides, which runs groups one after another: none can wait for the next.
const ONE_GROUP: (&str, [&str; 2]) = ("conjugate_gradient_multi_block_cg", ["--groups", "1"]);

/// The examples of the short run on emulated AMD GPUs, which take seconds each: one for each of the ways that kernels are written. Each runs
/// on waves of 32 or of 64, those with the most of warps on the latter, so that both GPUs are done at the same time.
pub(super) const ON_WAVES_OF_32: &[&str] =
    &["block_sum", "dct8x8", "histogram", "matrix_mul", "merge_sort", "sobel"];
pub(super) const ON_WAVES_OF_64: &[&str] =
    &["multi_device_jacobi", "reduction", "scan", "transpose", "vector_add"];

/// A way to run examples.
struct Way {
    device: &'static str,
    /// What a person needs to know of the way, beside the device.
    title: String,
    variables: Variables,
    small: bool,
    /// The examples that run, if not all.
    chosen: Option<&'static [&'static str]>,
}

impl Way {
    fn on_cpu(variables: &[(&'static str, &'static str)], small: bool) -> Self {
        let title = variables.iter().map(|(name, value)| format!(", {name}={value}"));
        let title = format!("cpu{}", title.format(""));
        let variables = variables.iter().map(|&(name, value)| (name, value.into())).collect();
        Self { device: "cpu", title, variables, small, chosen: None }
    }
}

pub(super) fn small(workspace: &Workspace) -> anyhow::Result<()> {
    let way = |variables: &[_]| Way::on_cpu(variables, true);
    let ways = [&[][..], &[("GRIDWRIGHT_CPU_ISA", "baseline")], &[("GRIDWRIGHT_CPU_THREADS", "1")]];
    run(workspace, &ways.map(way))
}

pub(super) fn each_isa(workspace: &Workspace) -> anyhow::Result<()> {
    let ways = available_isas().into_iter().flat_map(|isa| {
        let isa = ("GRIDWRIGHT_CPU_ISA", isa);
        let one_thread = ("GRIDWRIGHT_CPU_THREADS", "1");
        [Way::on_cpu(&[isa], false), Way::on_cpu(&[isa, one_thread], false)]
    });
    run(workspace, &ways.collect::<Vec<_>>())
}

/// Runs the examples with the driver that lies in a folder.
pub(super) fn on_cuda(
    workspace: &Workspace,
    folder: &Path,
    (name, value): (&'static str, &str),
) -> anyhow::Result<()> {
    // Two, for the examples that use all there are.
    let devices = ("GRIDWRIGHT_EMULATOR_DEVICES", "2".into());
    let variables = vec![("LD_LIBRARY_PATH", library_path(&[folder])?), (name, value.into()), devices];
    run(workspace, &[Way { device: "cuda:0", title: "cuda:0".into(), variables, small: true, chosen: None }])
}

/// Runs examples, all of them or those chosen, with the runtime that these variables have a program find.
pub(super) fn on_hip(
    workspace: &Workspace,
    architecture: &str,
    variables: &Variables,
    chosen: Option<&'static [&'static str]>,
) -> anyhow::Result<()> {
    let title = format!("{HIP}, {architecture}");
    run(workspace, &[Way { device: HIP, title, variables: variables.clone(), small: true, chosen }])
}

/// Runs the examples of some names on the CPU, and builds no others.
pub(super) fn named(workspace: &Workspace, names: &BTreeSet<String>) -> anyhow::Result<()> {
    let all = binaries(workspace)?;
    let chosen = names.iter().map(|name| {
        let found = all.iter().find(|(other, _)| other == name).cloned();
        found.with_context(|| format!("there is no sample `{name}` in examples/src/bin"))
    });
    let chosen = chosen.collect::<anyhow::Result<Vec<_>>>()?;
    let targets = names.iter().flat_map(|name| ["--bin", name]);
    checked::cargo(workspace, "build").arguments(targets).run()?;
    run_each(workspace, &chosen, &[Way::on_cpu(&[], false)])
}

fn run(workspace: &Workspace, ways: &[Way]) -> anyhow::Result<()> {
    checked::build(workspace)?;
    run_each(workspace, &binaries(workspace)?, ways)
}

fn run_each(workspace: &Workspace, binaries: &[(String, PathBuf)], ways: &[Way]) -> anyhow::Result<()> {
    // Some write files: into a folder that goes away.
    let folder = tempfile::tempdir()?;
    for (name, path) in binaries {
        for way in ways.iter().filter(|way| way.chosen.is_none_or(|chosen| chosen.contains(&&**name))) {
            let call = Call::new(workspace, path).directory(folder.path());
            let mut call = call.variable("GRIDWRIGHT_DEVICE", way.device).variables(&way.variables);
            if way.small {
                let small = SMALL.iter().find(|(example, _)| *example == name);
                call = call.arguments(small.map_or(&[][..], |(_, arguments)| *arguments));
            }
            if way.device == HIP && name == ONE_GROUP.0 {
                call = call.arguments(ONE_GROUP.1);
            }
            let start = Instant::now();
            call.run_quietly()?;
            println!("{name}: {}, {:.1} s", way.title, start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn binaries(workspace: &Workspace) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let folder = checked::folder(workspace);
    let targets = workspace.member(EXAMPLES)?.targets.iter();
    let binaries = targets.filter(|target| target.kind.contains(&TargetKind::Bin));
    let path = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(binaries.map(|target| (target.name.clone(), path(&target.name))).collect())
}

/// The instruction sets that `GRIDWRIGHT_CPU_ISA` takes on this machine. The host refuses the others.
pub(crate) fn available_isas() -> Vec<&'static str> {
    let mut isas = vec!["baseline"];
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        isas.extend(avx2.then_some("avx2"));
        isas.extend((avx2 && std::arch::is_x86_feature_detected!("avx512vl")).then_some("avx512"));
    }
    isas
}
