use gridwright::prelude::*;

#[gpu_kernel]
fn shift(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t.index() + 1) {
        *y = x[t.index()];
    }
}

fn main() {}
