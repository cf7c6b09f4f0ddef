//! Groups that share a tile.

use gridwright::group::ArrayElement;
use gridwright::prelude::*;

/// Transposes a matrix by tiles of `N` times `N`, each of a group.
#[gpu_kernel(block = (N, N), requires = input.rows() == output.cols() && input.cols() == output.rows())]
pub fn transpose<T: ArrayElement, const N: usize>(
    g: &Group,
    input: &Matrix<T>,
    mut output: PerThread<Matrix<T>>,
    mut tile: Workgroup<[[T; N]; N]>,
) {
    let origin = g.origin();
    g.load_tile(&mut tile, input, origin.x, origin.y);
    g.each((tile.elements().transposed(), output.elements_mut()), |_, (element, output)| {
        if let Some(output) = output {
            *output = *element;
        }
    });
}
