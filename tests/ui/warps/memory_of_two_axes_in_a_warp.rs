use gridwright::prelude::*;

#[gpu_kernel(block = (16, 16))]
fn kernel(g: &Group, tile: Workgroup<[[f32; 16]; 16]>) {
    g.each_warp((), |w, ()| {
        let mut sum = w.private(0.0);
        w.each((&mut sum, tile.elements()), |_, (sum, slot)| *sum += slot);
        w.each_while((&mut sum, tile.elements().transposed()), |_, (sum, slot)| {
            *sum += slot;
            false
        });
    });
}

fn main() {}
