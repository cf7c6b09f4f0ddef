use gridwright::prelude::*;

// What the book's table of levels says isn't handed out to lanes.
#[gpu_kernel(block = (64, 1))]
fn kernel(
    g: &Group,
    m: &Matrix<u32>,
    mut arrays: PerGroup<[[u32; 64]]>,
    mut tile: PerGroup<Matrix<u32>>,
    mut square: Workgroup<[[u32; 64]; 1]>,
) {
    g.each_warp((), |w, ()| {
        w.each(m.elements_from(0, 0), |_, _| {});
        w.each(m.elements_of_row(0, 0), |_, _| {});
        w.each(square.elements(), |_, _| {});
    });
    g.each(square.elements_mut(), |_, slot| *slot = 0);
    g.each_warp(arrays.elements_mut(), |_, _| {});
    g.each_warp(tile.elements_mut(), |_, _| {});
}

fn main() {}
