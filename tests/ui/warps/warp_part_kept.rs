use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut memory: Workgroup<[u32]>) {
    let kept = Mutex::new(None);
    g.each_warp(memory.warp_chunks_mut(1), |_, part| *kept.lock().unwrap() = Some(part));
}

fn main() {}
