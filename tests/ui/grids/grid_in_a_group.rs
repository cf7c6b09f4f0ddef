use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid) {
    grid.each_group((), |g, ()| {
        if g.index() == 0 {
            grid.each((), |_, ()| {});
        }
    });
}

fn main() {}
