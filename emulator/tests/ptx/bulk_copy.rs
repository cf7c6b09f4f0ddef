//! What `rustc/bulk_copy.ptx` is of.

use gridwright::prelude::*;

/// 256 elements in reverse, group by group.
#[gpu_kernel(block = 256)]
fn reversed(g: &Group, x: &[f32], mut y: PerThread<[f32]>, mut piece: Workgroup<[f32; 256]>) {
    g.load_bulk(&mut piece, x, g.origin().x);
    g.each((piece.shared(), y.elements_mut()), |t, (piece, y)| {
        if let Some(y) = y {
            *y = piece[255 - t.local().x];
        }
    });
}
