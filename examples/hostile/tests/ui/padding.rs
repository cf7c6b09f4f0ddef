//! `assert!` of `core` tests nothing.
extern crate gridwright_hostile as core;

use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C, align(4096))]
struct Page {
    byte: u8,
}

fn main() {}
