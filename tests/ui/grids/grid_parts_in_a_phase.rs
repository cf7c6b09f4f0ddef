use gridwright::prelude::*;

/// What is for groups alone: a phase of the grid wouldn't end with a barrier for it.
#[gpu_kernel]
fn parts(grid: &Grid, mut x: GridMemory<[u32]>) {
    grid.each(x.per_thread(), |_, _| {});
}

/// It has no views of its own either.
#[gpu_kernel]
fn views_of_parts(grid: &Grid, mut x: GridMemory<[u32]>) {
    grid.each(x.per_thread().elements_mut(), |_, _| {});
}

fn main() {}
