use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Body {
    kind: u8,
    mass: f32,
}

fn main() {}
