use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>) {
    g.each(w.each_mut().strided::<0>(), |_, slot| *slot = 0.0);
}

fn main() {}
