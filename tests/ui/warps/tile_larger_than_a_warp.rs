use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.tiled::<64>().each_tile((), |_, ()| {});
}

fn main() {}
