use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid) {
    let values = grid.private(1);
    grid.each_group((), |g, ()| {
        let _ = g.reduce(&values, |a, b| a + b);
    });
}

fn main() {}
