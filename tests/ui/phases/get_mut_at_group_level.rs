use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(g) {
        *y = 0;
    }
}

fn main() {}
