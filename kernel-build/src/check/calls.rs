//! Stack use that has no bound: recursion, and stack taken in amounts that aren't constant. A GPU
//! thread's stack is set before the launch and overflows without a trace.

use std::collections::BTreeMap;

use super::module::{Function, Module};
use super::{defined_at, readable};

/// A problem for each circle of calls that a kernel reaches. A call through a pointer may reach every function whose
/// address is taken somewhere and that takes as many arguments.
///
/// What no kernel reaches doesn't count: a panic's message mentions functions that would format its values, which nobody
/// calls on a GPU.
pub(super) fn recursion(module: &Module<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    let numbers: BTreeMap<&str, usize> =
        module.functions.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
    let edges = edges(module, &numbers);
    let mut state = vec![State::New; edges.len()];
    let no_kernels = !module.functions.iter().any(|f| f.is_kernel);
    for start in 0..edges.len() {
        if state[start] != State::New || !(module.functions[start].is_kernel || no_kernels) {
            continue;
        }
        // Depth first without recursion of our own: a path of functions, each with its next call.
        let mut path = vec![(start, 0)];
        state[start] = State::OnPath;
        while let Some((function, next)) = path.last_mut() {
            let function = *function;
            let Some(&callee) = edges[function].get(*next) else {
                state[function] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match state[callee] {
                State::New => {
                    state[callee] = State::OnPath;
                    path.push((callee, 0));
                }
                State::OnPath => problems.push(circle(module, &path, callee)),
                State::Done => {}
            }
        }
    }
    problems
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Done,
}

/// For each function, the numbers of those that it may call.
fn edges(module: &Module<'_>, numbers: &BTreeMap<&str, usize>) -> Vec<Vec<usize>> {
    let is_taken = |f: &&Function<'_>| {
        module.in_tables.contains(f.name)
            || module.functions.iter().any(|other| other.mentions.contains(f.name))
    };
    let has_indirect = module.functions.iter().any(|f| !f.indirect.is_empty());
    let taken: Vec<&Function<'_>> =
        if has_indirect { module.functions.iter().filter(is_taken).collect() } else { Vec::new() };
    module
        .functions
        .iter()
        .map(|function| {
            let pointed = taken.iter().filter(|f| function.indirect.contains(&f.arity)).map(|f| f.name);
            function
                .calls
                .iter()
                .copied()
                .chain(pointed)
                .filter_map(|name| numbers.get(name).copied())
                .collect()
        })
        .collect()
}

fn circle(module: &Module<'_>, path: &[(usize, usize)], callee: usize) -> String {
    let start = path.iter().position(|(f, _)| *f == callee).unwrap_or(0);
    let mut names: Vec<_> =
        path[start..].iter().map(|(f, _)| format!("`{}`", readable(module.functions[*f].name))).collect();
    names.extend(names.first().cloned());
    format!(
        "device code recurses, and a GPU thread's stack has a fixed size: {}{}",
        names.join(" calls "),
        defined_at(&module.functions[callee], module)
    )
}

/// A problem for each function that takes stack in an amount that isn't constant.
pub(super) fn dynamic_stacks(module: &Module<'_>) -> Vec<String> {
    let dynamic = module.functions.iter().filter(|f| f.has_dynamic_stack);
    dynamic
        .map(|f| {
            format!(
                "`{}` takes an amount of stack that is only known when it runs{}",
                readable(f.name),
                defined_at(f, module)
            )
        })
        .collect()
}
