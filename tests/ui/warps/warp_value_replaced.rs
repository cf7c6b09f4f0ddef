use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let mut sum = g.private(0);
    g.each_warp(&mut sum, |w, mut sum| *sum = w.private(1));
}

fn main() {}
