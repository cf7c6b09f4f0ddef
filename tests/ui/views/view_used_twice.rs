use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>) {
    let view = w.elements_mut();
    g.each(view, |_, slot| *slot = 0.0);
    g.each(view, |_, slot| *slot = 1.0);
}

fn main() {}
