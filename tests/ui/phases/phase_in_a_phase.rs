use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, x: &[f32]) {
    g.each((), |t, ()| {
        if x[t.index()] > 0.0 {
            g.each((), |_, ()| {});
        }
    });
}

fn main() {}
