use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[u32]>) {
    g.map(w.elements_mut(), |_, slot| slot);
}

fn main() {}
