//! Solution of puzzle 10: a product of matrices by tiles.

use gridwright::prelude::*;

const T: usize = 8;

#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
fn matrix_product(
    g: &Group,
    a: &Matrix<u32>,
    b: &Matrix<u32>,
    mut c: PerThread<Matrix<u32>>,
    mut tile_a: Workgroup<[[u32; T]; T]>,
    mut tile_b: Workgroup<[[u32; T]; T]>,
) {
    let mut sum = g.private(0_u32);
    for k in (0..a.cols()).step_by(T) {
        g.each((tile_a.elements_mut(), tile_b.elements_mut()), |t, (in_a, in_b)| {
            *in_a = a.get_or(t.row(), k + t.local().x, 0);
            *in_b = b.get_or(k + t.local().y, t.col(), 0);
        });
        g.each((&mut sum, tile_a.shared(), tile_b.shared()), |t, (sum, tile_a, tile_b)| {
            let place = t.local();
            for i in 0..T {
                *sum += tile_a[place.y][i] * tile_b[i][place.x];
            }
        });
    }
    g.each((&sum, c.elements_mut()), |_, (sum, c)| {
        if let Some(c) = c {
            *c = *sum;
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::matrix_product(device, |stream, config, a, b, c| {
            matrix_product::load(device)?.launch(stream, config, (a, b, c)).map(|_| ())
        })
    });
}
