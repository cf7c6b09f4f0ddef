use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C, align(128))]
struct Line {
    words: [u32; 32],
}

fn main() {}
