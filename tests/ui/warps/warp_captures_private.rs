use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let values = g.private(1);
    g.each_warp((), |w, ()| {
        let _ = w.reduce(&values, |a, b| a + b);
    });
}

fn main() {}
