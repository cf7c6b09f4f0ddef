use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[u32]>) {
    g.map(w.each_mut(), |_, slot| slot);
}

fn main() {}
