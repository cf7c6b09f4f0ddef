use gridwright::prelude::*;

#[gpu_kernel]
fn keep(t: Thread, x: &'static [f32], mut y: PerThread<[f32]>) {
    let forever: &'static [f32] = x;
    if let Some(y) = y.get_mut(t) {
        *y = forever[0];
    }
}

fn main() {}
