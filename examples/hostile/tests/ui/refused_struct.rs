//! `compile_error!` of `core` is no error.
extern crate gridwright_hostile as core;

use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
struct Pair {
    byte: u8,
    word: u32,
}

fn main() {}
