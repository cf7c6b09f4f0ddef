//! Each operator and method of `core` on each type of number, and those of arrays, slices, texts, iterators and other values that take no
//! allocation: what a kernel computes on the device that `GRIDWRIGHT_DEVICE` names
//! is what the host computes, bit for bit.
//!
//! A row is an expression of up to three numbers. A kernel has the rows of one kind and type, and each of its threads computes one of them
//! on one triple of inputs: special values crossed with each other, then random ones of each magnitude. All NaNs count as one, and so
//! do both zeros where `core` says so.
//!
//! Settings of the environment:
//!
//! | variable | what it says |
//! |---|---|
//! | `GRIDWRIGHT_DEVICE` | the device; the CPU if nothing is said |
//! | `GRIDWRIGHT_TEST_NUMBERS_INPUTS` | how many triples; 4096 if nothing is said |
//!
//! Left out: methods that format;
//! sums of products of floats, which GPUs may round once; the sign of a zero that is a minimum or maximum, and of a NaN.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used, reason = "also in what the tests share")]
#![allow(
    clippy::nonminimal_bool,
    clippy::bool_comparison,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "each operator is tried as it is"
)]

mod answer;
mod casts;
mod characters;
#[cfg(not(gridwright_device))]
mod compare;
mod floats;
mod guarded;
#[cfg(not(gridwright_device))]
mod inputs;
mod iterators;
mod operand;
mod rows;
mod signed;
mod slices;
mod texts;
mod unsigned;
mod values;
