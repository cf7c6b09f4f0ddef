//! What the IR of a program says of its kernels.

use std::collections::{BTreeMap, BTreeSet};

/// A kernel as IR has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// Bytes of variables that have an address: a thread's local memory.
    pub(crate) local_bytes: u64,
    /// Whether something in it depends on which lanes are together: barriers and exchanges.
    pub(crate) is_convergent: bool,
    pub(crate) lines: usize,
}

/// How a kernel's definition begins, behind `define`.
const CONVENTIONS: [&str; 2] = [" ptx_kernel ", " amdgpu_kernel "];

/// The kernels of a program, by name.
pub(crate) fn read(ir: &str) -> BTreeMap<&str, Kernel> {
    let groups: BTreeSet<&str> = ir.lines().filter_map(convergent_group).collect();
    let is_convergent = |line: &str| line.split(' ').any(|word| groups.contains(word.trim_end_matches(',')));
    let declared = ir.lines().filter(|line| line.starts_with("declare ") || line.starts_with("define "));
    let convergent: BTreeSet<&str> = declared.filter(|line| is_convergent(line)).filter_map(name).collect();
    let mut kernels = BTreeMap::new();
    let mut lines = ir.lines().peekable();
    while let Some(line) = lines.next() {
        let is_kernel =
            line.starts_with("define ") && CONVENTIONS.iter().any(|convention| line.contains(convention));
        let Some(name_of) = name(line).filter(|_| is_kernel) else { continue };
        let mut kernel = Kernel::default();
        while let Some(line) = lines.next_if(|line| *line != "}") {
            kernel.lines += 1;
            kernel.local_bytes = kernel.local_bytes.saturating_add(variable(line).unwrap_or(0));
            // What ends the thread has no lanes beside it.
            let ends = lines.peek().is_some_and(|next| next.trim_start().starts_with("unreachable"));
            if line.contains(" call ") && !ends {
                kernel.is_convergent |=
                    is_convergent(line) || name(line).is_some_and(|callee| convergent.contains(callee));
            }
        }
        kernels.insert(name_of, kernel);
    }
    kernels
}

/// The `#7` of `attributes #7 = { convergent … }`.
fn convergent_group(line: &str) -> Option<&str> {
    let (group, attributes) = line.strip_prefix("attributes ")?.split_once(" = ")?;
    attributes.split(' ').any(|word| word == "convergent").then_some(group)
}

/// The first global name in a line.
fn name(line: &str) -> Option<&str> {
    let (_, after) = line.split_once('@')?;
    after.split(['(', ' ', ',']).next().map(|name| name.trim_matches('"'))
}

/// The bytes of a variable, in the line that makes it.
fn variable(line: &str) -> Option<u64> {
    let (_, kind) = line.split_once(" = alloca ")?;
    Some(bytes(kind).unwrap_or(8))
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
