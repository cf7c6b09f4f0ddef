use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(u32)]
enum Kind {
    Solid,
    Fluid,
}

fn main() {}
