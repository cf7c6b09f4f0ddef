use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, first: u32, tile: Workgroup<[u32; 64]>) {
    g.copies(|copies| {
        let numbers = [first; 64];
        let loading = copies.load(tile, &numbers, 0);
        copies.wait(loading);
    });
}

fn main() {}
