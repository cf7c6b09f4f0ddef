use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each((), |t, ()| {
        if t.lane() == 0 {
            g.each_warp((), |_, ()| {});
        }
    });
}

fn main() {}
