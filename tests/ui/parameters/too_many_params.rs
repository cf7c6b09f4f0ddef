use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(
    t: Thread,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
    g: u32,
    h: u32,
    i: u32,
    j: u32,
    k: u32,
    l: u32,
    m: u32,
) {
}

fn main() {}
