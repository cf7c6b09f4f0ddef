use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, w: Workgroup<[u32]>) {
    g.map(w.shared(), |_, all| all);
}

fn main() {}
