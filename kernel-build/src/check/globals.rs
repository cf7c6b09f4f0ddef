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

/// Where threads find what the host gives them for panics and printed lines, and what the variable has to be: an address,
/// which the image leaves zero. The device library of each image defines it, so that a program that did so too wouldn't
/// link.
const RECORD: (&str, &str) = ("__gridwright_record", "[8 x i8] zeroinitializer");

/// A problem for each mutable variable. The framework has one, and no other name is above suspicion: a program can choose
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
    let is_record = (global.name, global.value) == RECORD && !global.is_external && !global.is_internal;
    is_launch_sized || is_record || LISTS.contains(&global.name)
}
