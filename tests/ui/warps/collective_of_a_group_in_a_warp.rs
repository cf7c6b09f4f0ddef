use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[u32]>) {
    g.each_warp((), |w, ()| {
        let mine = w.private(1);
        out.set(g, g.reduce(&mine, |a, b| a + b));
    });
}

fn main() {}
