use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut bins: Workgroup<[u32]>) {
    g.map(bins.atomic(), |_, bins| bins);
}

fn main() {}
