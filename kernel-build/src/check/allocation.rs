//! Allocation in kernels of groups, clusters and grids. Code at their level is the same for all threads, and what an allocation
//! gives isn't: an address of each thread's own, or no memory for some. With either safe code could lead one thread to a barrier and
//! another past it. What stands in a phase can't be told from the rest once it is compiled, so that the whole kernel is refused.
//! It is every kernel but one of threads, so that a level to come is refused too.

use std::collections::{BTreeMap, BTreeSet};

use super::module::{Function, Module};

/// What the macros export for each kernel, with its name after it, and for those of threads besides.
const KERNEL_PREFIX: &str = "__gridwright_layout_";
const THREADS_PREFIX: &str = "__gridwright_threads_";

/// The device library's constant that code reads which gives blocks out. It is read wherever that was inlined, and only the library
/// can define it.
const ALLOCATES: &str = "__gridwright_allocates";

/// A problem for each kernel from which the allocator can be reached, and which isn't one of threads.
pub(super) fn above_threads(module: &Module<'_>) -> Vec<String> {
    let functions: BTreeMap<&str, &Function<'_>> = module.functions.iter().map(|f| (f.name, f)).collect();
    let with = |prefix| module.globals.iter().filter_map(move |global| global.name.strip_prefix(prefix));
    let of_threads: BTreeSet<&str> = with(THREADS_PREFIX).collect();
    with(KERNEL_PREFIX)
        .filter(|kernel| !of_threads.contains(kernel))
        .filter(|kernel| allocates(kernel, module, &functions))
        .map(|kernel| {
            format!(
                "the kernel `{kernel}` is one of groups and allocates memory: code at the level of a group, a cluster or a grid is the \
                 same for all threads, which an allocation isn't. Allocate in kernels of threads; here there are `Private` values and workgroup \
                 memory"
            )
        })
        .collect()
}

/// Whether a function may call the allocator, by whatever way. A call through a pointer may reach what any function on the way
/// mentions, and what stands in a table.
fn allocates(kernel: &str, module: &Module<'_>, functions: &BTreeMap<&str, &Function<'_>>) -> bool {
    let mut seen = BTreeSet::from([kernel]);
    let mut next = vec![kernel];
    while let Some(name) = next.pop() {
        let Some(function) = functions.get(name) else { continue };
        if function.mentions.contains(ALLOCATES) {
            return true;
        }
        let by_table = if function.indirect.is_empty() { None } else { Some(&module.in_tables) };
        let called = function.calls.iter().chain(&function.mentions).chain(by_table.into_iter().flatten());
        next.extend(called.copied().filter(|name| seen.insert(name)));
    }
    false
}
