//! The struct is another than the one that was checked.
use gridwright::prelude::*;
use gridwright_hostile_attribute::replace;

#[derive(Clone, Copy, KernelArg)]
#[replace("u64 => &'static u32")]
#[repr(C)]
struct Pointer {
    x: u64,
}

#[derive(Clone, Copy, KernelArg)]
#[replace("x: u32, => x: u32, z: [bool; 4],")]
#[repr(C)]
struct More {
    x: u32,
}

fn main() {}
