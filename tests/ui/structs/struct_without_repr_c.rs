use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
struct Body {
    mass: f32,
}

fn main() {}
