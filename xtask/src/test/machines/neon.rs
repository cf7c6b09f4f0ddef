//! Kernels on aarch64: their hot loops compute with NEON's vectors, and what they compute has the same bits as here.

use anyhow::{Context, ensure};
use fs_err as fs;
use gridwright_build::inspect::CpuListing;

use crate::call::Call;
use crate::table::{self, row};
use crate::test::machines::{AARCH64, folder};
use crate::workspace::Workspace;

/// Kernels, as the program [`BITS`] calls them, their paths in the samples' library, and whether their loops are made of vectors. In that of
/// Sobel two `map`s of arrays, one in the other, are called: written without them it takes 1.2 times the instructions on AMD's GPUs.
const KERNELS: [(&str, &str, bool); 5] = [
    ("saxpy", "elementary::saxpy", true),
    ("sobel", "samples::sobel::sobel", false),
    ("nbody", "samples::nbody::step", true),
    ("black_scholes", "samples::black_scholes::black_scholes", true),
    ("matrix_mul_patches", "samples::matrix_mul::matrix_mul_patches", true),
];

/// The program that writes what a kernel computes.
const BITS: &str = "gridwright-bits";

/// What the speed of users' programs depends on.
const PROFILE: &str = "release";

/// Runs the step.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let listing = listing(workspace)?;
    let mut table = table::printed("kernel | instructions: | on vectors: | bytes:");
    for (kernel, path, is_of_vectors) in KERNELS {
        let functions = listing.of_kernel(path);
        let loops: Vec<Loop> =
            functions.iter().flat_map(|function| innermost_loops(&function.text)).collect();
        let hot = loops.iter().max_by_key(|hot| hot.on_vectors);
        let hot = hot.with_context(|| format!("{path} has no loop"))?;
        ensure!(
            (hot.on_vectors > 0 && hot.is_pure) == is_of_vectors,
            "{path} is of vectors, or isn't, unlike what stands here: {hot:?}"
        );

        let there = AARCH64.cargo(workspace, "run", PROFILE)?.arguments(["--quiet"]);
        let here = Call::cargo(workspace, "run --quiet --profile").arguments([PROFILE]);
        let here = here.variable("GRIDWRIGHT_DEVICE", "cpu").variable("GRIDWRIGHT_CPU_ISA", "baseline");
        let here =
            here.variable("GRIDWRIGHT_SKIP_DEVICE", "1").variable("CARGO_TARGET_DIR", folder(workspace));
        let [there, here] =
            [there, here].map(|program| program.arguments(["--package", BITS, "--", kernel]).printed());
        let here = here?;
        ensure!(!here.is_empty() && there? == here, "{kernel} computes other bits on aarch64 than here");
        table.add_row(row![path, hot.instructions, hot.on_vectors, here.len()]);
    }
    println!("{table}\nthe hot loops; what they compute is the same as with baseline instructions here");
    Ok(())
}

/// The assembly of the samples' library.
fn listing(workspace: &Workspace) -> anyhow::Result<CpuListing> {
    let file = folder(workspace).join("neon.s");
    let emit = format!("asm={}", file.display());
    let call = AARCH64.cargo(workspace, "rustc", PROFILE)?;
    let call = call.arguments(["--package", "gridwright-examples", "--lib", "--", "--emit", &emit]);
    call.arguments(["-Csymbol-mangling-version=v0", "-Ccodegen-units=1"]).run_quietly()?;
    Ok(CpuListing::read(&fs::read_to_string(file)?))
}

#[derive(Debug, PartialEq, Eq)]
struct Loop {
    instructions: usize,
    /// Instructions that compute with vectors: those that move them don't count.
    on_vectors: usize,
    /// Whether nothing is called, and no single floats are computed with.
    is_pure: bool,
}

/// The loops of a function that have no other one in them.
fn innermost_loops(text: &str) -> Vec<Loop> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let place = |name: &str| {
        let is_it = |line: &&str| name.starts_with(".L") && line.strip_suffix(':') == Some(name);
        lines.iter().position(is_it)
    };
    let jumps = lines.iter().enumerate().filter_map(|(end, line)| {
        let begin = place(line.split([' ', '\t', ',']).next_back()?)?;
        let is_jump = line.starts_with(['b', 'c', 't']);
        (is_jump && begin < end).then_some((begin, end))
    });
    let loops: Vec<(usize, usize)> = jumps.collect();
    let has_another = |&&(begin, end): &&(usize, usize)| {
        loops.iter().any(|&other| other != (begin, end) && begin <= other.0 && other.1 <= end)
    };
    let innermost = loops.iter().filter(|of| !has_another(of));
    innermost.filter_map(|&(begin, end)| Some(measured(lines.get(begin..=end)?))).collect()
}

fn measured(lines: &[&str]) -> Loop {
    let instructions: Vec<&&str> = lines.iter().filter(|line| !line.starts_with('.')).collect();
    let moves = ["ld", "st", "mov", "dup"];
    let computes = |line: &str| !moves.iter().any(|name| line.starts_with(name));
    // `v1.4s` is four singles, `s1` is one.
    let is_vector =
        |line: &str| line.split([' ', '\t', ',']).any(|word| word.starts_with('v') && word.contains('.'));
    let is_single = |line: &str| {
        let register = line.split_whitespace().nth(1).unwrap_or_default();
        line.starts_with('f') && register.starts_with(['s', 'd'])
    };
    let is_call = |line: &str| line.starts_with("bl\t") || line.starts_with("blr\t");
    Loop {
        instructions: instructions.len(),
        on_vectors: instructions.iter().filter(|line| computes(line) && is_vector(line)).count(),
        is_pure: !instructions.iter().any(|line| is_call(line) || is_single(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Loop, innermost_loops};

    #[test]
    fn hot_loops_are_measured() {
        let text = "f:\n.LBB0_1:\n\tmov\tx8, x9\n.LBB0_2:\n\tldr\tq1, [x11, x12]\n\tfmla\tv1.4s, v2.4s, v0.s[0]\n\
                    .Ltmp7:\n\tb.ne\t.LBB0_2\n.LBB0_3:\n\tfmadd\ts1, s0, s1, s2\n\tbl\tg\n\tcbnz\tx8, .LBB0_3\n\
                    \tb.ne\t.LBB0_1\n\tret\n";
        let vectors = Loop { instructions: 3, on_vectors: 1, is_pure: true };
        let single = Loop { instructions: 3, on_vectors: 0, is_pure: false };
        assert_eq!(innermost_loops(text), [vectors, single]);
    }
}
