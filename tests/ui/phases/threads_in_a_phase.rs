use gridwright::level::{Threads, Values};
use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let threads: &Threads<_> = g;
    let mine = g.private(1_u32);
    let values: &Values<u32> = &mine;
    g.each((), |_, ()| {
        threads.reduce(values, |a, b| a + b);
    });
}

fn main() {}
