use gridwright::prelude::*;

// Each thread would see its own value, or a neighbour's at some moment.
#[gpu_kernel]
fn kernel(g: &Group, w: Workgroup<[u32]>, y: PerThread<[u32]>, out: PerGroup<[u32]>) {
    let value = g.private(1);
    if w[0] + y[0] + out[0] + *value > 0 {
        g.each((), |_, ()| {});
    }
}

fn main() {}
