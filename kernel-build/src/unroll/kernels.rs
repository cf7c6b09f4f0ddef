//! What the IR of a program says of its kernels.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir;

/// A kernel as IR has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// Bytes of variables that have an address: a thread's local memory.
    pub(crate) local_bytes: u64,
    /// Bytes of such variables that are indexed by what is known only when the kernel runs.
    pub(crate) indexed_bytes: u64,
    /// Whether something in it depends on which lanes are together: barriers and exchanges.
    pub(crate) is_convergent: bool,
    pub(crate) lines: usize,
}

/// The kernels of a program, by name.
pub(crate) fn read(ir: &str) -> BTreeMap<&str, Kernel> {
    let groups: BTreeSet<&str> = ir.lines().filter_map(convergent_group).collect();
    let is_convergent = |line: &str| line.split(' ').any(|word| groups.contains(word.trim_end_matches(',')));
    let declared = ir.lines().filter(|line| line.starts_with("declare ") || line.starts_with("define "));
    let convergent: BTreeSet<&str> =
        declared.filter(|line| is_convergent(line)).filter_map(ir::name).collect();
    let kernels = ir::functions(ir).filter(|(head, _)| ir::is_kernel(head));
    let read = kernels.filter_map(|(head, body)| {
        let mut variables = Variables::default();
        body.iter().for_each(|line| variables.read(line));
        let (local_bytes, indexed_bytes) = variables.bytes();
        // What ends the thread has no lanes beside it.
        let ends =
            |at: usize| body.get(at + 1).is_some_and(|next| next.trim_start().starts_with("unreachable"));
        let parts_lanes = |(at, line): (usize, &&str)| {
            let calls =
                || is_convergent(line) || ir::name(line).is_some_and(|callee| convergent.contains(callee));
            line.contains(" call ") && !ends(at) && calls()
        };
        let is_convergent = body.iter().enumerate().any(parts_lanes);
        Some((ir::name(head)?, Kernel { local_bytes, indexed_bytes, is_convergent, lines: body.len() }))
    });
    read.collect()
}

/// The `#7` of `attributes #7 = { convergent … }`.
fn convergent_group(line: &str) -> Option<&str> {
    let (group, attributes) = line.strip_prefix("attributes ")?.split_once(" = ")?;
    attributes.split(' ').any(|word| word == "convergent").then_some(group)
}

/// A kernel's variables that have an address.
#[derive(Default)]
struct Variables<'t> {
    /// Bytes, and whether some place in it is known only at run time.
    known: Vec<(u64, bool)>,
    /// Addresses within them.
    addresses: BTreeMap<&'t str, usize>,
}

impl<'t> Variables<'t> {
    fn read(&mut self, line: &'t str) {
        let Some((result, instruction)) = line.strip_prefix("  ").and_then(|line| line.split_once(" = "))
        else {
            return;
        };
        if let Some(kind) = instruction.strip_prefix("alloca ") {
            self.addresses.insert(result, self.known.len());
            self.known.push((bytes(kind).unwrap_or(8), false));
            return;
        }
        let mut names = instruction.split([' ', ',']).filter(|word| word.starts_with('%'));
        if let Some(place) = instruction.strip_prefix("getelementptr ") {
            let base = names.next().and_then(|base| self.addresses.get(base).copied());
            let Some(variable) = base else { return };
            self.addresses.insert(result, variable);
            // `[8 x i32], ptr %a, i64 %i`: what comes behind the base is counted.
            let indices = place.split_once(", ptr ").map_or("", |(_, operands)| operands);
            if indices.split(", ").skip(1).any(|index| index.contains(" %")) {
                self.known[variable].1 = true;
            }
        } else if instruction.starts_with("phi ptr ") || instruction.starts_with("select ") {
            // An address that moves on from turn to turn, or one of several.
            let variables: Vec<usize> = names.filter_map(|name| self.addresses.get(name).copied()).collect();
            for variable in variables {
                self.addresses.insert(result, variable);
                self.known[variable].1 = true;
            }
        }
    }

    /// All, and those of variables with a place that is known only at run time.
    fn bytes(&self) -> (u64, u64) {
        self.known.iter().fold((0, 0), |(all, indexed), &(bytes, is_indexed)| {
            (
                u64::saturating_add(all, bytes),
                if is_indexed { indexed.saturating_add(bytes) } else { indexed },
            )
        })
    }
}

/// The bytes of a type at the start of a text: an array or a vector of numbers, or a number.
fn bytes(kind: &str) -> Option<u64> {
    if let Some(inner) = kind.strip_prefix(['[', '<']) {
        let (count, element) = inner.split_once(" x ")?;
        return bytes(element)?.checked_mul(count.parse().ok()?);
    }
    let word = kind.split([',', ']', '>', ' ']).next()?;
    match word {
        "half" | "bfloat" => Some(2),
        "float" => Some(4),
        "double" | "ptr" => Some(8),
        integer => Some(integer.strip_prefix('i')?.parse::<u64>().ok()?.div_ceil(8)),
    }
}
