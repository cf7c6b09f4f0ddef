use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Sum {
    sum: f32,
    count: u32,
}

#[gpu_kernel]
fn add(t: Thread, x: &[f32], sums: Atomic<[Sum]>) {
    sums.fetch_add(t, 0, Sum { sum: x[t.index()], count: 1 });
}

fn main() {}
