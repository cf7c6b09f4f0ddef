//! What it costs on NVIDIA to know whether a thread owns an element.

use gridwright::prelude::*;

#[gpu_kernel(requires = input.rows() == output.rows() && input.cols() == output.cols())]
fn of_a_matrix(t: Thread, input: &Matrix<f32>, mut output: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(output) = output.get_mut(t) {
        *output = input.get_or(row, col, 0.0);
    }
}

#[gpu_kernel(requires = input.rows() == output.cols() && input.cols() == output.rows())]
fn of_a_transposed_matrix(t: Thread, input: &Matrix<f32>, mut output: PerThread<Matrix<f32>, Transposed>) {
    if let Some(output) = output.get_mut(t) {
        *output = input.get_or(t.row(), t.col(), 0.0);
    }
}

#[gpu_kernel(
    requires = input.planes() == output.planes() && input.rows() == output.rows() && input.cols() == output.cols()
)]
fn of_a_volume(t: Thread, input: &Volume<f32>, mut output: PerThread<Volume<f32>>) {
    let Some(output) = output.get_mut(t) else { return };
    *output = input.get_or(t.plane(), t.row(), t.col(), 0.0);
}

#[cfg(not(gridwright_device))]
mod tests {
    use crate::ptx::entry;

    #[test]
    fn an_axis_is_tested_once() {
        for (kernel, axes) in [("of_a_matrix", 2), ("of_a_transposed_matrix", 2), ("of_a_volume", 3)] {
            let Some(text) = entry(kernel) else { return };
            assert_eq!(text.matches("setp.").count(), axes, "{text}");
        }
    }
}
