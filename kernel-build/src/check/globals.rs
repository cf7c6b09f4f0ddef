//! Memory that outlives a launch and that kernels can write: a static atomic, for one, would let
//! threads see each other where the model says that they don't.
//!
//! PTX can't tell a mutable variable from a constant table; LLVM IR says `global` or `constant`.

use super::module::{Global, Module};
use super::readable;

/// Lists for the compiler.
const LISTS: [&str; 2] = ["llvm.used", "llvm.compiler.used"];

/// Workgroup memory: each launch has its own, and the framework's views guard it.
const WORKGROUP: u32 = 3;

/// A problem for each mutable variable. The framework has none, and no name is above suspicion: a program can choose
/// those of its statics.
pub(super) fn mutable(module: &Module<'_>) -> Vec<String> {
    let foreign = module.globals.iter().filter(|g| g.is_mutable && !is_harmless(g));
    foreign
        .map(|global| {
            format!(
                "device code has the mutable static `{}`: kernels share memory through their parameters only, so make it \
                 an `Atomic` or `PerThread` parameter, or a constant",
                readable(global.name)
            )
        })
        .collect()
}

fn is_harmless(global: &Global<'_>) -> bool {
    let is_launch_sized = global.address_space == WORKGROUP && global.is_external;
    is_launch_sized || LISTS.contains(&global.name)
}
