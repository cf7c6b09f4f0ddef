use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Nothing {}

fn main() {}
