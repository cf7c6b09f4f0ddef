use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>) {
    let (low, _) = w.split_at_mut(32);
    g.each((low.elements_mut(), w.elements()), |_, (low, all)| *low = *all);
}

fn main() {}
