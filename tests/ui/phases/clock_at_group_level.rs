use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[u64]>) {
    out.set(g, g.clock());
}

fn main() {}
