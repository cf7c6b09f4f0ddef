use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid, mut x: GridMemory<[u32]>) {
    grid.each((), |t, ()| {
        if t.index() == 0 {
            grid.each(x.elements_mut(), |_, _| {});
        }
    });
}

fn main() {}
