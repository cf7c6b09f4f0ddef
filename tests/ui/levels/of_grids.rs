use gridwright::prelude::*;

// What the book's table of levels says isn't handed out to a grid's threads.
#[gpu_kernel]
fn kernel(grid: &Grid, mut w: Workgroup<[u32; 64]>, x: GridMemory<[u32]>) {
    grid.each(w.elements_mut(), |_, slot| *slot = 0);
    grid.each(w.shared(), |_, _| {});
    grid.each(w.atomic(), |_, _| {});
    let _ = x.len();
}

fn main() {}
