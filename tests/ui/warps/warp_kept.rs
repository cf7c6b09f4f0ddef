use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_warp((), |w, ()| keep(w));
}

fn keep<S: GroupShape>(_: &Warp<'static, S>) {}

fn main() {}
