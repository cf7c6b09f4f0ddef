//! Sizes that a driver refuses when the program runs: parameters and stacks.

use super::module::Module;
use super::{defined_at, readable};
use crate::image::{Image, MOST_STACK_BYTES};

/// A problem for each size that is too large.
pub(super) fn exceeded(image: &Image, module: &Module<'_>) -> Vec<String> {
    let place = |symbol: &str| {
        let function = module.functions.iter().find(|function| function.name == symbol);
        function.map_or(String::new(), |function| defined_at(function, module))
    };
    let most = image.most_parameter_bytes.unwrap_or(u32::MAX);
    let parameters = image.entries.iter().filter_map(|entry| {
        let bytes = entry.parameters.last().map_or(0, |last| last.offset.saturating_add(last.size));
        (bytes > most).then(|| {
            format!(
                "the kernel `{}` has {bytes} bytes of parameters, and a launch passes {most} at most{}: put what is large into a buffer, and \
                 take a slice of it (`&[T]`)",
                entry.name,
                place(&entry.name)
            )
        })
    });
    let stacks = image.large_stacks.iter().map(|(function, bytes)| {
        format!(
            "`{}` needs {bytes} bytes of stack, and a thread has {MOST_STACK_BYTES} at most{}: put what is large into a buffer",
            readable(function),
            place(function)
        )
    });
    parameters.chain(stacks).collect()
}
