use gridwright::matrix::Accumulator;
use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, mut tile: Workgroup<[[f32; 16]; 16]>) {
    g.each_warp((), |w, ()| {
        w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(0.0), &mut tile, 0, 0);
    });
}

fn main() {}
