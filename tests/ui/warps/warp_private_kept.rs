use std::cell::RefCell;

use gridwright::prelude::*;

thread_local! {
    static KEPT: RefCell<Vec<Private<'static, u32>>> = RefCell::default();
}

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_warp((), |w, ()| KEPT.with_borrow_mut(|kept| kept.push(w.private(0))));
}

fn main() {}
