use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>) {
    g.each((w.each_mut(), w.shared()), |t, (slot, all)| *slot = all[t.local().x]);
}

fn main() {}
