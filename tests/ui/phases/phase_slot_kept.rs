use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[u32]>) {
    let kept = Mutex::new(None);
    g.each(w.elements_mut(), |_, slot| *kept.lock().unwrap() = Some(slot));
}

fn main() {}
