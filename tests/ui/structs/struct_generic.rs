use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

fn main() {}
