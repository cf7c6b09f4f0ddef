use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid, mut x: GridMemory<[f32]>) {
    grid.each((x.grid_stride_mut(), x.shared()), |_, (x, all)| x.for_each(|i, x| *x = all[i + 1]));
}

fn main() {}
