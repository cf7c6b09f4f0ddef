use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Body {
    name: &'static [u8],
    next: *const Body,
}

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Borrowed<'a> {
    points: &'a [f32],
}

fn main() {}
