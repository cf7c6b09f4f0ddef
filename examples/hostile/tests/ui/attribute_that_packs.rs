//! The struct's fields are aligned otherwise than those that were checked.
use gridwright::prelude::*;
use gridwright_hostile_attribute::replace;

#[derive(Clone, Copy, KernelArg)]
#[replace("repr(C) => repr(C, packed)")]
#[repr(C)]
struct Packed {
    x: u64,
}

fn main() {}
