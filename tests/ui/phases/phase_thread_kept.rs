use std::sync::Mutex;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let kept = Mutex::new(None);
    g.each((), |t, ()| *kept.lock().unwrap() = Some(t));
}

fn main() {}
