use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let kept = std::sync::Mutex::new(None);
    g.each_warp((), |w, ()| {
        *kept.lock().unwrap() = Some(w.labeled_partition(&w.private(1)));
    });
}

fn main() {}
