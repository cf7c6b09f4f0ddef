use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_warp((), |w, ()| {
        if w.index() == 0 {
            g.each((), |_, ()| {});
        }
    });
}

fn main() {}
