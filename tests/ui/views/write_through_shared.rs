use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, w: Workgroup<[f32]>) {
    g.each(w.shared(), |_, w| w[0] = 1.0);
    g.each(w.elements(), |_, slot| *slot = 1.0);
}

fn main() {}
