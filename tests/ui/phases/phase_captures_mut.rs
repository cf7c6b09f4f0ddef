use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let mut last = 0;
    g.each((), |t, ()| last = t.index());
    if last == 3 {
        g.each((), |_, ()| {});
    }
}

fn main() {}
