use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, x: &[f32], mut tile: Workgroup<[f32; 64]>) {
    let loading = g.copies(|copies| copies.load(tile.flat(), x, 0));
    g.fill(&mut tile, 0.0);
    drop(loading);
}

fn main() {}
