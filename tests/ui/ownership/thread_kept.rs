use std::cell::RefCell;

use gridwright::prelude::*;

thread_local! {
    static KEPT: RefCell<Vec<Thread<'static>>> = RefCell::default();
}

#[gpu_kernel]
fn keep(t: Thread) {
    KEPT.with_borrow_mut(|kept| kept.push(t));
}

fn main() {}
