use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let values = g.private(1.0_f32);
    let _ = g.tiled::<8>().reduce_add(&values);
}

fn main() {}
