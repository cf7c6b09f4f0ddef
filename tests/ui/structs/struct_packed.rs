use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C, packed)]
struct Body {
    kind: u8,
    mass: f32,
}

fn main() {}
