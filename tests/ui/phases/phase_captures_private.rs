use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let values = g.private(0);
    g.each((), |_, ()| {
        let _ = &values;
    });
}

fn main() {}
