//! Arrays of the crate `ndarray` as arguments of `run`.

use gridwright::Error;
use gridwright::prelude::*;
use ndarray::{Array1, Array2, Array3, array, s};

#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += a * x[t.index()];
    }
}

// ANCHOR: transpose
#[gpu_kernel(requires = x.rows() == y.cols() && x.cols() == y.rows())]
fn transpose(t: Thread, x: &Matrix<u32>, mut y: PerThread<Matrix<u32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get_or(t.col(), t.row(), 0);
    }
}

#[host_only]
fn transposed(device: &Device) -> Result<Array2<u32>, Error> {
    let (x, mut y) = (array![[1, 2, 3], [4, 5, 6]], Array2::zeros((3, 2)));
    let arguments = (x.view(), Out(y.view_mut()));
    transpose::load(device)?.run(device, LaunchConfig::for_matrix(3, 2), arguments)?;
    Ok(y)
}
// ANCHOR_END: transpose

#[gpu_kernel]
fn planes(t: Thread, x: &Volume<f32>, mut y: PerThread<Volume<f32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = 2.0 * x.get_or(t.plane(), t.row(), t.col(), 0.0) + t.plane() as f32;
    }
}

#[test]
fn views_are_read_and_written() -> Result<(), Error> {
    let device = Device::cpu()?;
    let (x, mut y) = (Array1::from_elem(100, 2.0_f32), Array1::from_elem(100, 1.0_f32));
    saxpy::load(&device)?.run(&device, LaunchConfig::threads(100), (3.0, x.view(), InOut(y.view_mut())))?;
    assert_eq!(y, Array1::from_elem(100, 7.0_f32));

    assert_eq!(transposed(&device)?, array![[1, 4], [2, 5], [3, 6]]);

    let (x, mut y) = (Array3::from_elem((2, 3, 4), 1.5), Array3::zeros((2, 3, 4)));
    planes::load(&device)?.run(&device, LaunchConfig::for_volume(2, 3, 4), (x.view(), Out(y.view_mut())))?;
    assert_eq!((y[[0, 2, 3]], y[[1, 0, 0]]), (3.0, 4.0));
    Ok(())
}

#[test]
fn what_is_not_in_order_is_refused_before_the_launch() -> Result<(), Error> {
    let device = Device::cpu()?;
    let (x, mut y) = (array![[1, 2, 3], [4, 5, 6]], array![[7, 7, 7], [7, 7, 7]]);
    let (kernel, config) = (transpose::load(&device)?, LaunchConfig::for_matrix(2, 3));
    let error = kernel.run(&device, config, (x.t(), Out(y.view_mut()))).unwrap_err();
    assert!(matches!(error, Error::Strided { .. }), "{error}");
    let error = kernel.run(&device, config, (x.view(), Out(y.slice_mut(s![.., ..2])))).unwrap_err();
    assert!(matches!(error, Error::Strided { .. }), "{error}");
    // Sizes are the kernel's to check.
    let error = kernel.run(&device, config, (x.view(), Out(y.view_mut()))).unwrap_err();
    assert!(matches!(error, Error::Requirement { .. }), "{error}");
    assert_eq!(y, Array2::from_elem((2, 3), 7));
    Ok(())
}
