use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, w: Workgroup<[u32]>) {
    g.map(w.elements().take(1), |_, slot| *slot);
}

fn main() {}
