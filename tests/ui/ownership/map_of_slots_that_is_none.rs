use gridwright::prelude::*;

// One axis has no transposed slots, and a tile none in reverse order.
#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[f32]>, mut tile: Workgroup<[[f32; 4]; 4]>) {
    g.each(w.elements_mut().transposed(), |_, slot| *slot = 0.0);
    g.each(tile.elements_mut().reversed(), |_, slot| *slot = 0.0);
    g.each(tile.elements_mut().take(1), |_, slot| *slot = 0.0);
}

fn main() {}
