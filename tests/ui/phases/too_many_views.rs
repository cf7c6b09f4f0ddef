use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, a: &[f32]) {
    let p = g.map((), |_, ()| 1);
    g.each((&p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p, &p), |_, _| {});
}

fn main() {}
