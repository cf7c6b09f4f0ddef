use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Body {
    mass: f32,
    flags: [bool; 4],
}

fn main() {}
