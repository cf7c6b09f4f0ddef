use std::sync::Mutex;

use gridwright::prelude::*;

// With two calls the two slots would be one.
#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[u32]>) {
    let kept = Mutex::new(Vec::new());
    g.each_while(w.elements_mut(), |_, slot| {
        let mut kept = kept.lock().unwrap();
        kept.push(slot);
        kept.len() < 2
    });
}

fn main() {}
