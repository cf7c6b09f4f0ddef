//! Barriers that separate nothing.
//!
//! A phase ends with a barrier, since what comes after it isn't known there. Here it is: a barrier orders what threads
//! access between the barrier before and itself against what they access from it to the next one. Where no access of
//! the first kind can concern one of the second, as before the end of a kernel, nobody can tell whether it is there.

use std::collections::BTreeSet;

use super::body::{Body, Statement};
use super::replaced;
use super::touched::{Touched, touched};

/// Takes the barriers out of a kernel's body that separate nothing.
pub(super) fn remove(body: &Body<'_>, changes: &mut Vec<(usize, String)>) {
    let count = body.statements.len();
    let mut before = vec![Vec::new(); count];
    let mut after = Vec::with_capacity(count);
    for at in 0..count {
        let Some(next) = body.next(at) else {
            return;
        };
        next.iter().for_each(|&to| before[to].push(at));
        after.push(next);
    }
    let of_groups: Vec<usize> = (0..count).filter(|&at| is_barrier(&body.statements[at])).collect();
    // Those of clusters stay, and separate what theirs would.
    let of_clusters = (0..count).filter(|&at| is_cluster_barrier(body, at)).flat_map(|at| [at, at + 1]);
    let mut barriers: BTreeSet<usize> = of_groups.iter().copied().chain(of_clusters).collect();
    for at in of_groups {
        if body.statements[at].line.is_none() {
            continue;
        }
        let earlier = touched(at, &before, &barriers, |at| touch(body, at));
        let later = touched(at, &after, &barriers, |at| touch(body, at));
        if !earlier.meets(later) {
            barriers.remove(&at);
            replaced(body, at, String::new(), changes);
        }
    }
}

/// A barrier of the whole group that every thread comes to.
fn is_barrier(statement: &Statement<'_>) -> bool {
    !statement.is_predicated
        && statement.operands == "0"
        && matches!(statement.opcode, "bar.sync" | "barrier.sync" | "barrier.sync.aligned" | "bar.cta.sync")
}

/// Where every thread of a cluster comes to its barrier and waits there: for a group it is a barrier, too.
fn is_cluster_barrier(body: &Body<'_>, at: usize) -> bool {
    let is = |at: usize, opcode: &str| {
        body.statements
            .get(at)
            .is_some_and(|statement| !statement.is_predicated && statement.opcode == opcode)
    };
    is(at, "barrier.cluster.arrive.aligned")
        && is(at + 1, "barrier.cluster.wait.aligned")
        && !body.is_labelled(at + 1)
}

/// Opcodes that touch registers only.
const REGISTERS: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "addc",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bra",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "cvta",
    "div",
    "dp2a",
    "dp4a",
    "elect",
    "ex2",
    "exit",
    "fma",
    "isspacep",
    "lg2",
    "lop3",
    "mad",
    "madc",
    "mapa",
    "match",
    "max",
    "min",
    "mov",
    "mul",
    "mul24",
    "neg",
    "not",
    "or",
    "popc",
    "prmt",
    "rcp",
    "redux",
    "rem",
    "ret",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "sub",
    "subc",
    "tanh",
    "testp",
    "trap",
    "vote",
    "xor",
];

fn touch(body: &Body<'_>, at: usize) -> Touched {
    let statement = &body.statements[at];
    let mut parts = statement.opcode.split('.');
    let name = parts.next().unwrap_or_default();
    // Declarations and directives.
    if name.is_empty() || REGISTERS.contains(&name) {
        return Touched::NOTHING;
    }
    let parts: Vec<&str> = parts.collect();
    let has = |part| parts.contains(&part);
    let plain = !["volatile", "relaxed", "acquire", "release", "mmio"].into_iter().any(has);
    match name {
        "ld" | "st" if has("param") || has("local") || has("const") => Touched::NOTHING,
        // What a kernel reads this way nobody writes while it runs.
        "ld" if plain && has("nc") => Touched::NOTHING,
        "ld" if plain && has("shared") => Touched::SHARED_READ,
        "ld" if plain && has("global") => Touched::GLOBAL_READ,
        "ld" if plain => Touched::SHARED_READ | Touched::GLOBAL_READ,
        "ldmatrix" => Touched::SHARED_READ,
        "st" if plain && has("shared") => Touched::SHARED_WRITE,
        "st" if plain && has("global") => Touched::GLOBAL_WRITE,
        "st" if plain => Touched::SHARED_WRITE | Touched::GLOBAL_WRITE,
        "call" if never_returns(body, at) => Touched::NOTHING,
        _ => Touched::ANYTHING,
    }
}

/// Whether a call is the last thing that a thread does: a panic.
fn never_returns(body: &Body<'_>, call: usize) -> bool {
    let rest = || (call + 1..).map_while(|at| Some((at, body.statements.get(at)?)));
    rest()
        .take_while(|(at, statement)| !body.is_labelled(*at) && !statement.is_branch())
        .find(|(_, statement)| statement.is_end())
        .is_some_and(|(_, end)| !end.is_predicated && matches!(end.opcode, "exit" | "trap"))
}
