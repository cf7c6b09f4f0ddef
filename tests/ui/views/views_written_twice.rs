use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>, mut y: PerThread<[f32]>, mut p: PerGroup<[[f32; 4]]>) {
    g.each((w.each_mut(), w.each_mut().reversed()), |_, (a, b)| *a = *b);
    g.each((y.each_mut(), y.each_mut()), |_, (a, b)| drop((a, b)));
    g.each((p.each_mut(), p.each_mut()), |_, (a, b)| *a = *b);
    let mut value = g.private(0.0);
    g.each((&mut value, &value), |_, (a, b)| *a = *b);
}

fn main() {}
