//! The most that our kernels may execute.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::counter::{Executed, ratio};

/// The most, as multiples of clang's, by what the project promises itself.
const MOST_INSTRUCTIONS: f64 = 1.05;
const MOST_TRANSACTIONS: f64 = 1.0;

/// A kernel of ours that falls short of the limits, as far as is known. It must not get worse.
struct Shortfall {
    architecture: &'static str,
    kernel: &'static str,
    instructions: f64,
    transactions: f64,
    /// Accesses to scratch memory.
    scratch: u64,
    /// Why, for who reads the list.
    reason: &'static str,
}

const SHORTFALLS: &[Shortfall] = &[
    short("gfx942", "copy_matrix", 1.17, 1.00, 0, "LLVM adds row and column to each pointer apart"),
    short(
        "gfx942",
        "matrix_mul",
        1.10,
        1.00,
        0,
        "neighbours are compared in 64 bits, and barriers wait for all memory",
    ),
    short("gfx942", "matrix_mul_patches", 1.05, 1.00, 496, "an array of patches stays in scratch memory"),
    short("gfx942", "sequential", 1.07, 1.00, 0, "partial sums lie behind what one instruction reaches"),
    short("gfx942", "nbody", 1.06, 1.52, 0, "velocities and new places are stored by their components"),
    short("gfx1100", "copy_matrix", 1.25, 1.00, 0, "LLVM adds row and column to each pointer apart"),
    short("gfx1100", "sobel", 1.08, 1.00, 0, "neighbours are compared in 64 bits"),
    short("gfx1100", "matrix_mul_patches", 1.05, 1.00, 904, "an array of patches stays in scratch memory"),
    short("gfx1100", "scan_groups", 1.12, 1.00, 0, "exchanges of lanes take an index each, and wait"),
    short("gfx1100", "nbody", 1.05, 1.18, 0, "velocities and new places are stored by their components"),
];

const fn short(
    architecture: &'static str,
    kernel: &'static str,
    instructions: f64,
    transactions: f64,
    scratch: u64,
    reason: &'static str,
) -> Shortfall {
    Shortfall { architecture, kernel, instructions, transactions, scratch, reason }
}

/// What falls short, each in a line.
pub(super) fn notes() -> impl Iterator<Item = String> {
    let note = |short: &Shortfall| {
        format!("{} on {} falls short: {}", short.kernel, short.architecture, short.reason)
    };
    SHORTFALLS.iter().map(note)
}

/// How many kinds of instructions are named of which ours has more.
const NAMED: usize = 6;

/// What of a kernel of ours is above the limits.
pub(super) fn problems(architecture: &str, kernel: &str, ours: &Executed, theirs: &Executed) -> Vec<String> {
    let mut found = Vec::new();
    let short = SHORTFALLS.iter().find(|of| of.architecture == architecture && of.kernel == kernel);
    let most = short.map_or(MOST_INSTRUCTIONS, |short| short.instructions);
    let instructions = ratio(ours.instructions(), theirs.instructions());
    if instructions > most {
        let more = more(&ours.names, &theirs.names);
        found.push(format!("{instructions:.2} times the instructions, at most {most}: {more}"));
    }
    let transactions = ratio(ours.transactions, theirs.transactions);
    if transactions > short.map_or(MOST_TRANSACTIONS, |short| short.transactions) {
        found.push(format!("{transactions:.2} times the memory transactions"));
    }
    if ours.scratch > theirs.scratch + short.map_or(0, |short| short.scratch) {
        found
            .push(format!("{} accesses to scratch memory, and clang's has {}", ours.scratch, theirs.scratch));
    }
    found.iter().map(|problem| format!("{kernel} on {architecture}: {problem}")).collect()
}

/// The instructions of which ours executes most more.
fn more(ours: &BTreeMap<String, u64>, theirs: &BTreeMap<String, u64>) -> String {
    let more = |(name, count): (&String, &u64)| {
        let more = count.saturating_sub(theirs.get(name).copied().unwrap_or(0));
        (more > 0).then(|| (more, name.clone()))
    };
    let mut more: Vec<_> = ours.iter().filter_map(more).collect();
    more.sort_by(|a, b| b.cmp(a));
    more.iter().take(NAMED).map(|(count, name)| format!("{count} more {name}")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::counter::Executed;
    use super::problems;

    fn executed(names: &[(&str, u64)], transactions: u64, scratch: u64) -> Executed {
        let names = names.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        Executed { names, transactions, scratch }
    }

    #[test]
    fn a_kernel_within_the_limits_passes() {
        let theirs = executed(&[("v_add_f32", 80), ("s_endpgm", 20)], 10, 2);
        assert!(problems("gfx942", "saxpy", &theirs, &theirs).is_empty());
        let ours = executed(&[("v_add_f32", 81), ("v_mov_b32", 4), ("s_endpgm", 20)], 9, 0);
        assert!(problems("gfx942", "saxpy", &ours, &theirs).is_empty());
    }

    #[test]
    fn a_dear_kernel_fails_and_is_told_why() {
        let theirs = executed(&[("v_add_f32", 80), ("s_endpgm", 20)], 10, 0);
        let ours = executed(&[("v_add_f32", 81), ("v_mov_b32", 5), ("s_endpgm", 20)], 10, 0);
        let found = problems("gfx942", "saxpy", &ours, &theirs);
        let expected =
            "saxpy on gfx942: 1.06 times the instructions, at most 1.05: 5 more v_mov_b32, 1 more v_add_f32";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn transactions_and_scratch_have_limits_of_their_own() {
        let theirs = executed(&[("s_endpgm", 20)], 10, 0);
        let found = problems("gfx942", "saxpy", &executed(&[("s_endpgm", 20)], 11, 0), &theirs);
        assert_eq!(found, ["saxpy on gfx942: 1.10 times the memory transactions"]);
        let found = problems("gfx942", "saxpy", &executed(&[("s_endpgm", 20)], 10, 3), &theirs);
        assert_eq!(found, ["saxpy on gfx942: 3 accesses to scratch memory, and clang's has 0"]);
    }
}
