use std::cell::RefCell;

use gridwright::prelude::*;

thread_local! {
    static KEPT: RefCell<Vec<Private<'static, u32>>> = RefCell::default();
}

#[gpu_kernel]
fn kernel(g: &Group) {
    KEPT.with_borrow_mut(|kept| kept.push(g.private(0)));
}

fn main() {}
