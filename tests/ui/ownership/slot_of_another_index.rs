use gridwright::prelude::*;

#[gpu_kernel]
fn neighbour(t: Thread, mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t.index() + 1) {
        *y = 1.0;
    }
}

fn main() {}
