//! A light reading of LLVM IR in text, as LLVM prints it. What isn't understood is passed over.

mod functions;
mod instructions;
#[cfg(test)]
mod tests;

pub(crate) use functions::{body, functions, is_kernel, name, pointers, rewritten};
pub(crate) use instructions::{Definitions, Instruction, constant, element, is_constant};
