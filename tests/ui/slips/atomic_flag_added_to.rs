use gridwright::prelude::*;

#[gpu_kernel]
fn mark(t: Thread, is_set: Atomic<[u8]>) {
    is_set.fetch_or(t, 0, 1);
    is_set.fetch_add(t, 1, 1);
}

#[gpu_kernel]
fn bits(t: Thread, x: Atomic<[f32]>) {
    x.fetch_sub(t, 0, 1.0);
}

fn main() {}
