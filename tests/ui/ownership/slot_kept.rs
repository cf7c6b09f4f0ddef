use std::sync::Mutex;

use gridwright::prelude::*;

static KEPT: Mutex<Vec<&'static mut f32>> = Mutex::new(Vec::new());

#[gpu_kernel]
fn keep(t: Thread, mut y: PerThread<[f32]>) {
    if let (Some(y), Ok(mut kept)) = (y.get_mut(t), KEPT.lock()) {
        kept.push(y);
    }
}

fn main() {}
