use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel(block = (8, 8))]
fn kernel(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 16>>) {
    let kept = Mutex::new(None);
    g.each(m.patches_mut::<2, 2>(), |_, patch| *kept.lock().unwrap() = Some(patch));
}

fn main() {}
