use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_warp((), |w, ()| w.private(0));
}

fn main() {}
