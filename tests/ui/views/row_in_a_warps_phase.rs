use gridwright::prelude::*;

// Two warps would get the same elements.
#[gpu_kernel]
fn kernel(g: &Group, mut y: PerGroup<Matrix<u32>, Rows>) {
    g.each_warp((), |w, ()| {
        w.each(y.elements_from_mut(0), |_, y| {
            if let Some(y) = y {
                *y += 1;
            }
        });
    });
}

// One phase has one part of a row.
#[gpu_kernel]
fn twice(g: &Group, mut y: PerGroup<Matrix<u32>, Rows>) {
    g.each((y.elements_from_mut(0), y.elements_from_mut(1)), |_, (_, _)| {});
}

fn main() {}
