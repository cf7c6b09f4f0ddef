use gridwright::prelude::*;

#[gpu_kernel(block = (16, 16))]
fn kernel(g: &Group, m: &Matrix<f32>) {
    g.each_warp((), |w, ()| {
        let mut sum = w.private(0.0);
        w.each((&mut sum, m.elements_of_row(0, 0)), |_, (sum, m)| *sum += m.copied().unwrap_or(0.0));
        let _ = w.map(m.elements_from(0, 0), |_, m| m.is_some());
    });
}

fn main() {}
