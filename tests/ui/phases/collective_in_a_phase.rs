use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut y: PerThread<[f32]>) {
    let values = g.map((), |t, ()| t.index() as f32);
    g.each(y.elements_mut(), |_, y| {
        if let Some(y) = y {
            *y = g.reduce(&values, f32::max);
        }
    });
}

fn main() {}
