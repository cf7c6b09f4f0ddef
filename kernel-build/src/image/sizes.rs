//! What drivers refuse of PTX by its size, and don't say until a program runs. The numbers are those of ptxas 12.0 to 13.5, whose messages
//! give them, and of the CUDA C++ Programming Guide's table of technical specifications.

/// The first version of PTX whose kernels have the larger space for parameters.
const LARGE_PARAMETERS: (u32, u32) = (8, 1);
const MOST_PARAMETER_BYTES: u32 = 4352;
const MOST_LARGE_PARAMETER_BYTES: u32 = 32_764;
/// What a thread's stack has at most, on every processor.
pub(crate) const MOST_STACK_BYTES: u64 = 512 << 10;

/// The bytes that a kernel's parameters may have by a version of PTX, such as `7.0`.
pub(super) fn most_parameter_bytes(version: &str) -> u32 {
    let parts = version.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match parts {
        Some(version) if version >= LARGE_PARAMETERS => MOST_LARGE_PARAMETER_BYTES,
        _ => MOST_PARAMETER_BYTES,
    }
}

/// The functions whose stack is larger than a thread's, and its bytes. LLVM declares it first in a body:
/// `.local .align 16 .b8 __local_depot0[1048576];`
pub(super) fn large_stacks(ptx: &str) -> Vec<(String, u64)> {
    let mut large = Vec::new();
    let mut function = "";
    for line in ptx.lines() {
        if let Some((_, after)) = line.split_once(".entry ").or_else(|| line.split_once(".func ")) {
            function = name(after);
        } else if let Some((_, after)) = line.split_once("__local_depot")
            && line.trim_start().starts_with(".local ")
        {
            let size = after
                .split_once('[')
                .and_then(|(_, size)| size.split_once(']'))
                .map(|(size, _)| size.parse());
            if let Some(Ok(bytes)) = size
                && bytes > MOST_STACK_BYTES
            {
                large.push((function.to_owned(), bytes));
            }
        }
    }
    large
}

/// The name in `k(`, or in `(.param .b32 func_retval0) f(`.
fn name(declaration: &str) -> &str {
    let declaration = declaration.trim_start();
    let named = match declaration.strip_prefix('(') {
        Some(result) => result.split_once(')').map_or("", |(_, named)| named.trim_start()),
        None => declaration,
    };
    named.split(['(', ' ', '\n', '{']).next().unwrap_or_default()
}
