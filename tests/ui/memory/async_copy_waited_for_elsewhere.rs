use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, x: &[f32], tile: Workgroup<[f32; 64]>) {
    g.copies(|outer| {
        let loading = outer.load(tile, x, 0);
        g.copies(|inner| {
            inner.wait(loading);
        });
    });
}

fn main() {}
