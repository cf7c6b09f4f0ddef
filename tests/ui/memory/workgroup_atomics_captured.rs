use gridwright::prelude::*;

// The phase would end without a barrier.
#[gpu_kernel]
fn kernel(g: &Group, mut bins: Workgroup<[u32]>) {
    let view = bins.atomic();
    g.each((), |t, ()| {
        view.fetch_add(t, 0, 1);
    });
}

fn main() {}
