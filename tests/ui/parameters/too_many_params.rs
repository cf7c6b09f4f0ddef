use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(
    thread: Thread,
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
    n: u32,
    o: u32,
    p: u32,
    q: u32,
    r: u32,
    s: u32,
    t: u32,
    u: u32,
    v: u32,
    w: u32,
    x: u32,
    y: u32,
) {
}

fn main() {}
