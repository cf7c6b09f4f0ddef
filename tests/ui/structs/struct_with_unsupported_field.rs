use gridwright::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
struct Plain(f32);

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Body {
    mass: f32,
    plain: Plain,
}

fn main() {}
