use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>) {
    g.each((w.elements_mut(), w.shared()), |t, (slot, all)| *slot = all[t.local().x]);
}

fn main() {}
