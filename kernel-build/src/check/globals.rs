//! Memory that outlives a launch and that kernels can write: a static atomic, for one, would let
//! threads see each other where the model says that they don't.
//!
//! PTX can't tell a mutable variable from a constant table; LLVM IR says `global` or `constant`.

use super::module::{Global, Module};
use super::readable;

/// Framework variables: under a name of its own, or in its own crates.
const OWN_PREFIX: &str = "__gridwright_";
const OWN_CRATES: [&str; 2] = ["gridwright_device::", "gridwright_core::"];

/// Workgroup memory: each launch has its own, and the framework's views guard it.
const WORKGROUP: u32 = 3;

/// A problem for each mutable variable that the framework didn't make.
pub(super) fn mutable(module: &Module<'_>) -> Vec<String> {
    let foreign = module.globals.iter().filter(|g| g.is_mutable && !is_own(g));
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

fn is_own(global: &Global<'_>) -> bool {
    let name = readable(global.name);
    // `llvm.used` and its like are lists for the compiler.
    let is_listed = global.name.starts_with("llvm.") || global.name.starts_with(OWN_PREFIX);
    let is_launch_sized = global.address_space == WORKGROUP && global.is_external;
    is_listed || is_launch_sized || OWN_CRATES.iter().any(|c| name.starts_with(c))
}
