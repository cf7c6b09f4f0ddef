//! What a bundle says of itself.

use super::build::{Kind, Program};
use super::elf::Needs;

/// The README of a bundle, in Markdown.
pub(super) fn text(programs: &[Program], needs: &Needs) -> String {
    let names = |kind: Kind| {
        let names = programs.iter().filter(|program| program.kind == kind);
        let mut names: Vec<_> = names.map(|program| format!("`{}`", program.name)).collect();
        names.sort();
        names.join(", ")
    };
    let (major, minor) = needs.glibc;
    let libraries: Vec<_> = needs.libraries.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "# Gridwright on a GPU\n\n\
         Examples, tests and benches of Gridwright for an NVIDIA GPU, built by `cargo xtask bundle`; `bundle.json` says of what.\n\n\
         ```sh\n\
         ./run.sh\n\
         ```\n\n\
         runs them all, in well under ten minutes, and writes `results/results.json`, `results/table.md` and a log of each part. It \
         ends with 0 if nothing failed. `./run.sh --help` has the options: other folders, single parts, a quick run.\n\n\
         ## What it needs\n\n\
         - Linux on {architecture}, with glibc {major}.{minor} or newer: {libraries}.\n\
         - NVIDIA's driver, with `libcuda.so.1` where the loader finds it, and a GPU of sm_80 or newer.\n\
         - bash, awk, sed, grep, and GNU's coreutils for `timeout` and `mktemp`. No Rust, no cargo.\n\n\
         What isn't there is said in the table, and no failure: `nvcc`, which compiles the reference kernels for this very GPU \
         (without it those that were compiled for the bundle are raced), `compute-sanitizer`, which runs the examples again under each of \
         its checks, and `nvidia-smi`.\n\n\
         ## What is in it\n\n\
         - `bin/examples`: {examples}. Each checks its results.\n\
         - `bin/tests`: {tests}. Tests of the CUDA backend and of what a device must do, with Rust's harness: `--list` names them, a name runs one.\n\
         - `bin/compiled`: {compiled}. Tests of what compilers make of kernels, the driver's among them.\n\
         - `bin/benches`: {benches}. `gpu` races our kernels against nvcc's (vector_add, matrix_mul by tiles and by \
         patches, transpose, reduction, histogram, nbody, scan, sobel, black_scholes) and a launch against the driver's own. `primitives_gpu` races the primitives \
         against CUB.\n\
         - `reference`: nvcc's kernels as source (`reference.cu` includes the others), as machine code for several GPUs, and as PTX; CUB's \
         algorithms as source and as a library.\n\
         - `ptx`: our kernels, as they are in the programs too, to look at.\n\n\
         Beside Gridwright, `cargo xtask bench --keep results/results.json` makes a record of the results with a plot.\n",
        architecture = std::env::consts::ARCH,
        libraries = libraries.join(", "),
        examples = names(Kind::Example),
        tests = names(Kind::Test),
        compiled = names(Kind::Compiled),
        benches = names(Kind::Bench),
    )
}
