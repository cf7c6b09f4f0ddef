use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    let kept = Mutex::new(None);
    g.each_warp(c.warp_tiles_mut::<16, 16>(), |_, tile| *kept.lock().unwrap() = Some(tile));
}

fn main() {}
