use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>, mut y: PerThread<[f32]>, mut p: PerGroup<[[f32; 4]]>) {
    g.each((w.elements_mut(), w.elements_mut().reversed()), |_, (a, b)| *a = *b);
    g.each((y.elements_mut(), y.elements_mut()), |_, (a, b)| drop((a, b)));
    g.each((p.elements_mut(), p.elements_mut()), |_, (a, b)| *a = *b);
    let mut value = g.private(0.0);
    g.each((&mut value, &value), |_, (a, b)| *a = *b);
}

fn main() {}
