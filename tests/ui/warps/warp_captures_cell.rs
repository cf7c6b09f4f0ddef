use std::cell::Cell;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let last = Cell::new(0);
    g.each_warp((), |w, ()| last.set(w.index()));
    if last.get() == 3 {
        g.each((), |_, ()| {});
    }
}

fn main() {}
