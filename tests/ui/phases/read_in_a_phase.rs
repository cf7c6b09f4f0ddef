use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut y: PerThread<[f32]>, w: Workgroup<[f32]>) {
    g.each(y.elements_mut(), |t, y| {
        if let Some(y) = y {
            *y = g.read(&w, t.local().x);
        }
    });
}

fn main() {}
