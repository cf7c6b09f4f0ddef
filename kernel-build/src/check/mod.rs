//! Stage 7, *check*: an image and its LLVM IR → the reasons to refuse it.
//!
//! The safety of kernels rests on what they can't do, and some of that only shows in the whole
//! program: memory that outlives a launch, stacks without a bound, symbols that nobody defines.

mod allocation;
mod calls;
mod globals;
mod module;
#[cfg(test)]
mod tests;

use crate::image::Image;
use module::Module;

/// Why the image is refused, one text a problem; none if it is good.
pub(crate) fn check(image: &Image, ir: &str) -> Vec<String> {
    let module = Module::read(ir);
    let mut problems = globals::mutable(&module);
    problems.extend(calls::recursion(&module));
    problems.extend(calls::dynamic_stacks(&module));
    problems.extend(allocation::above_threads(&module));
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

fn unresolved(symbol: &str, module: &Module<'_>) -> String {
    let users: Vec<_> = module
        .functions
        .iter()
        .filter(|f| f.calls.contains(symbol) || f.mentions.contains(symbol))
        .map(|f| format!("`{}`", readable(f.name)))
        .take(3)
        .collect();
    let users = if users.is_empty() { String::new() } else { format!(" (used by {})", users.join(", ")) };
    format!("device code uses `{}`, which does not exist on a GPU{users}", readable(symbol))
}

/// A symbol's name as the user wrote it.
fn readable(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
