use gridwright::prelude::*;

/// Each group has its own, and a phase of the grid is of all groups.
#[gpu_kernel(block = 64)]
fn written(grid: &Grid, mut w: Workgroup<[u32; 64]>) {
    grid.each(w.elements_mut(), |_, slot| *slot = 0);
}

#[gpu_kernel(block = 64)]
fn read(grid: &Grid, w: Workgroup<[u32; 64]>) {
    grid.map(w.shared(), |_, w| w[0]);
}

#[gpu_kernel(block = 64)]
fn updated(grid: &Grid, mut w: Workgroup<[u32; 64]>) {
    grid.each((w.atomic(),), |t, (w,)| {
        w.fetch_add(t, 0, 1);
    });
}

fn main() {}
