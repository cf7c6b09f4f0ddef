use gridwright::prelude::*;

#[gpu_kernel]
fn twice(t: Thread, mut y: PerThread<[f32]>) {
    let first = y.get_mut(t);
    let second = y.get_mut(t);
    drop((first, second));
}

fn main() {}
