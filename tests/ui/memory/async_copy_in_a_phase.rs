use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, x: &[f32], tile: Workgroup<[f32; 64]>) {
    g.copies(|copies| {
        let loading = copies.load(tile, x, 0);
        g.each((), |_, ()| {
            copies.wait(loading);
        });
    });
}

fn main() {}
