use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let values = g.private(1);
    let _ = g.tiled::<12>().reduce(&values, |a, b| a + b);
}

fn main() {}
