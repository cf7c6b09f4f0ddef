use gridwright::prelude::*;

#[gpu_kernel]
fn twice(t: Thread, mut m: PerThread<Matrix<f32>, Columns>) {
    let first = m.column_mut(t);
    let second = m.column_mut(t);
    drop((first, second));
}

fn main() {}
