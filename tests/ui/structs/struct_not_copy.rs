use gridwright::prelude::*;

#[derive(KernelArg)]
#[repr(C)]
struct Body {
    mass: f32,
}

fn main() {}
