use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut y: PerThread<[u32]>) {
    let kept = Mutex::new(None);
    g.each_warp(&mut y, |_, y| *kept.lock().unwrap() = Some(y));
}

fn main() {}
