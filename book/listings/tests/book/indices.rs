//! Chapter "Indices".

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

// ANCHOR: gradient
/// Each pixel's brightness grows from left to right and from top to bottom.
#[gpu_kernel]
fn gradient(t: Thread, mut image: PerThread<Matrix<f32>>) {
    let (rows, cols) = (image.rows(), image.cols());
    if let Some(pixel) = image.get_mut(t) {
        *pixel = (t.row() + t.col()) as f32 / (rows + cols - 2) as f32;
    }
}
// ANCHOR_END: gradient

// ANCHOR: blur
/// The mean of a pixel and its four neighbours. Beyond the edge everything is black.
#[gpu_kernel(requires = image.rows() == out.rows() && image.cols() == out.cols())]
fn blur(t: Thread, image: &Matrix<f32>, mut out: PerThread<Matrix<f32>>) {
    let (row, col) = (t.row(), t.col());
    if let Some(out) = out.get_mut(t) {
        let sum = image.get_or(row, col, 0.0)
            + image.get_or(row.wrapping_sub(1), col, 0.0)
            + image.get_or(row + 1, col, 0.0)
            + image.get_or(row, col.wrapping_sub(1), 0.0)
            + image.get_or(row, col + 1, 0.0);
        *out = sum / 5.0;
    }
}
// ANCHOR_END: blur

// ANCHOR: four
/// Each thread owns four neighbours.
#[gpu_kernel]
fn halve(t: Thread, mut x: PerThread<[[f32; 4]]>) {
    if let Some(four) = x.get_mut(t) {
        *four = four.map(|x| 0.5 * x);
    }
}
// ANCHOR_END: four

// ANCHOR: reversed
/// The thread at `i` owns the element at `len - 1 - i`.
#[gpu_kernel(requires = x.len() == y.len())]
fn reverse(t: Thread, x: &[u32], mut y: PerThread<[u32], Reversed>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()];
    }
}
// ANCHOR_END: reversed

// ANCHOR: volume
/// One step of the heat equation on the inside of a box.
#[gpu_kernel(requires = old.planes() == new.planes() && old.rows() == new.rows() && old.cols() == new.cols())]
fn diffuse(t: Thread, k: f32, old: &Volume<f32>, mut new: PerThread<Volume<f32>>) {
    let (plane, row, col) = (t.plane(), t.row(), t.col());
    if let Some(new) = new.get_mut(t) {
        let at = |plane, row, col| old.get_or(plane, row, col, 0.0);
        let neighbours = at(plane.wrapping_sub(1), row, col)
            + at(plane + 1, row, col)
            + at(plane, row.wrapping_sub(1), col)
            + at(plane, row + 1, col)
            + at(plane, row, col.wrapping_sub(1))
            + at(plane, row, col + 1);
        let here = at(plane, row, col);
        *new = here + k * (neighbours - 6.0 * here);
    }
}
// ANCHOR_END: volume

// ANCHOR: wide
/// Indices of 64 bits, for launches of more than 2³² threads.
#[gpu_kernel(index = u64)]
fn clear(t: Thread, mut x: PerThread<[u8]>) {
    if let Some(x) = x.get_mut(t) {
        *x = 0;
    }
}
// ANCHOR_END: wide

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;

    // ANCHOR: launch_matrix
    let mut image = stream.alloc_matrix_zeroed(480, 640)?;
    gradient::load(&device)?.launch(
        &stream,
        LaunchConfig::for_matrix(480, 640),
        (&mut image,),
    )?;
    // ANCHOR_END: launch_matrix
    let pixels = stream.download(&image)?;
    assert_eq!((pixels[0], pixels[640 * 480 - 1]), (0.0, 1.0));

    let mut blurred = stream.alloc_matrix_zeroed(480, 640)?;
    let kernel = blur::load(&device)?;
    kernel.launch(&stream, LaunchConfig::for_matrix(480, 640), (&image, &mut blurred))?;
    let blurred = stream.download(&blurred)?;
    let expected =
        (pixels[641] + pixels[1] + pixels[1281] + pixels[640] + pixels[642]) / 5.0;
    assert!((blurred[641] - expected).abs() < 1e-6);
    assert!((blurred[0] - (pixels[0] + pixels[1] + pixels[640]) / 5.0).abs() < 1e-6);

    // ANCHOR: launch_four
    let mut x = stream.upload(&[1.0; 1000])?;
    halve::load(&device)?.launch(&stream, LaunchConfig::threads(1000 / 4), (&mut x,))?;
    // ANCHOR_END: launch_four
    assert_eq!(stream.download(&x)?, [0.5; 1000]);

    let x = stream.upload(&[1, 2, 3])?;
    let mut y = stream.alloc_zeroed(3)?;
    reverse::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [3, 2, 1]);

    let mut hot = [0.0; 27];
    hot[13] = 1.0;
    let mut new = [0.0; 27];
    let config = LaunchConfig::for_volume(3, 3, 3);
    let arguments = (0.1, AsVolume(3, 3, 3, &hot), Out(AsVolume(3, 3, 3, &mut new)));
    diffuse::load(&device)?.run(&device, config, arguments)?;
    assert!((new[13] - 0.4).abs() < 1e-6 && (new[4] - 0.1).abs() < 1e-6);

    let mut x = stream.upload(&[7_u8; 10])?;
    clear::load(&device)?.launch(&stream, LaunchConfig::threads(10), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [0; 10]);
    Ok(())
}

#[test]
fn a_launch_of_too_many_dimensions_is_refused() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let x = stream.upload(&[1, 2, 3])?;
    let mut y = stream.alloc_zeroed(3)?;
    let config = LaunchConfig::for_matrix(1, 3);
    assert!(reverse::load(&device)?.launch(&stream, config, (&x, &mut y)).is_ok());
    let config = LaunchConfig::for_matrix(3, 3);
    let refused = reverse::load(&device)?.launch(&stream, config, (&x, &mut y));
    crate::says(&refused.unwrap_err(), include_str!("../../messages/rank.txt"));
    Ok(())
}

// ANCHOR: flip
/// Mirrors an image left to right: each thread writes its own pixel and reads another's.
#[gpu_kernel(requires = image.rows() == out.rows() && image.cols() == out.cols())]
fn mirror(t: Thread, image: &Matrix<u8>, mut out: PerThread<Matrix<u8>>) {
    if let Some(out) = out.get_mut(t) {
        *out = image.get_or(t.row(), image.cols() - 1 - t.col(), 0);
    }
}
// ANCHOR_END: flip

// ANCHOR: transposed
/// The thread at (row, col) owns the element at (col, row).
#[gpu_kernel(requires = x.rows() == y.cols() && x.cols() == y.rows())]
fn transpose_by_map(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>, Transposed>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get_or(t.row(), t.col(), 0.0);
    }
}
// ANCHOR_END: transposed

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;
    let image = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
    let mut out = stream.alloc_matrix_zeroed(2, 3)?;
    mirror::load(&device)?.launch(
        &stream,
        LaunchConfig::for_matrix(2, 3),
        (&image, &mut out),
    )?;
    assert_eq!(stream.download(&out)?, [3, 2, 1, 6, 5, 4]);

    let x = stream.upload_matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let mut y = stream.alloc_matrix_zeroed(3, 2)?;
    let kernel = transpose_by_map::load(&device)?;
    kernel.launch(&stream, LaunchConfig::for_matrix(2, 3), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    Ok(())
}
