//! Stage 7, *check*: an image and its LLVM IR → the reasons to refuse it.
//!
//! The safety of kernels rests on what they can't do, and some of that only shows in the whole
//! program: memory that outlives a launch, stacks without a bound, symbols that nobody defines.

mod allocation;
mod calls;
mod globals;
mod limits;
mod module;
mod places;
#[cfg(test)]
mod tests;

use crate::image::Image;
use module::{Function, Module};

/// Why the image is refused, one text a problem; none if it is good.
pub(crate) fn check(image: &Image, ir: &str) -> Vec<String> {
    let module = Module::read(ir);
    let mut problems = globals::mutable(&module);
    problems.extend(calls::recursion(&module));
    problems.extend(calls::dynamic_stacks(&module));
    problems.extend(allocation::above_threads(&module));
    problems.extend(limits::exceeded(image, &module));
    problems.extend(image.unresolved.iter().map(|symbol| unresolved(symbol, &module)));
    // A missing or a recursive function also makes a stack unbounded: then that has been said.
    if problems.is_empty() {
        problems.extend(image.dynamic_stacks.iter().map(|kernel| {
            format!(
                "the kernel `{kernel}` needs a stack whose size is only known when it runs, as it calls through a pointer \
                 (such as a method of a `dyn` object)"
            )
        }));
    }
    problems.sort();
    problems.dedup();
    problems
}

/// The names of a program's kernels.
pub(crate) fn kernels(ir: &str) -> Vec<&str> {
    Module::read(ir)
        .functions
        .iter()
        .filter(|function| function.is_kernel)
        .map(|kernel| kernel.name)
        .collect()
}

fn unresolved(symbol: &str, module: &Module<'_>) -> String {
    let is_user = |f: &&Function<'_>| f.calls.contains(symbol) || f.mentions.contains(symbol);
    let users: Vec<_> = module.functions.iter().filter(is_user).take(3).collect();
    let names: Vec<_> = users.iter().map(|f| format!("`{}`", readable(f.name))).collect();
    let names = if names.is_empty() { String::new() } else { format!(" (used by {})", names.join(", ")) };
    let called = users.iter().find_map(|f| module.places.of(*f.called.get(symbol)?));
    format!(
        "device code uses `{}`, which does not exist on a GPU{names}{}: there is no C library; write it in Rust, or take it from `core` or \
         `gridwright::math`",
        readable(symbol),
        at(called)
    )
}

/// Where a function is defined, behind what is said of it.
fn defined_at(function: &Function<'_>, module: &Module<'_>) -> String {
    at(function.defined.and_then(|place| module.places.of(place)))
}

/// A place of the sources in a sentence; nothing where none is known.
fn at(place: Option<String>) -> String {
    place.map_or(String::new(), |place| format!(", at {place}"))
}

/// A symbol's name as the user wrote it.
fn readable(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
