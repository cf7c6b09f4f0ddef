//! Chapter "Textures and surfaces".

use gridwright::Error;
use gridwright::prelude::*;
#[host_only]
use gridwright::texture::Filter;

// ANCHOR: resized
/// The image in the size of `out`.
#[gpu_kernel]
fn resized(t: Thread, image: &Texture2d<f32>, mut out: PerThread<Matrix<f32>>) {
    let (rows, cols) = (out.rows() as f32, out.cols() as f32);
    if let Some(out) = out.get_mut(t) {
        // The middle of the pixel, as fractions of the image.
        let (x, y) = ((t.col() as f32 + 0.5) / cols, (t.row() as f32 + 0.5) / rows);
        *out = image.sample(x, y);
    }
}
// ANCHOR_END: resized

// ANCHOR: edges
/// By how much a pixel differs from its four neighbours.
#[gpu_kernel(requires = image.width() == found.width() && image.height() == found.height())]
fn edges(t: Thread, image: &Texture2d<Norm<u8>>, found: Surface2d<f32>) {
    let (col, row) = (t.col() as i32, t.row() as i32);
    let beside = image.fetch(col - 1, row) + image.fetch(col + 1, row);
    let above_and_below = image.fetch(col, row - 1) + image.fetch(col, row + 1);
    found.set(t, beside + above_and_below - 4.0 * image.fetch(col, row));
}
// ANCHOR_END: edges

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;

    // ANCHOR: launch_resized
    let sampling = Sampling::linear().normalized();
    let image = stream.texture(2, 2, &[0.0_f32, 8.0, 16.0, 24.0], sampling)?;
    let mut out = stream.alloc_matrix_zeroed(4, 4)?;
    let kernel = resized::load(&device)?;
    kernel.launch(&stream, LaunchConfig::for_matrix(4, 4), (&image, &mut out))?;
    assert_eq!(stream.download(&out)?[..4], [0.0, 2.0, 6.0, 8.0]);
    // ANCHOR_END: launch_resized
    let below = [4.0, 6.0, 10.0, 12.0, 12.0, 14.0, 18.0, 20.0, 16.0, 18.0, 22.0, 24.0];
    assert_eq!(stream.download(&out)?[4..], below);

    // ANCHOR: launch_edges
    // A bright square before a dark background.
    let is_bright = |i: usize| (2..6).contains(&(i / 8)) && (2..6).contains(&(i % 8));
    let pixels: Vec<Norm<u8>> =
        (0..64).map(|i| Norm(255 * u8::from(is_bright(i)))).collect();
    let image = stream.texture(8, 8, &pixels, Sampling::nearest())?;
    let mut found =
        stream.texture(8, 8, &[0.0_f32; 64], Sampling::linear().normalized())?;
    let config = LaunchConfig::for_matrix(8, 8);
    edges::load(&device)?.launch(&stream, config, (&image, &mut found))?;

    // What one launch wrote as a surface, the next one samples as a texture.
    let mut small = stream.alloc_matrix_zeroed(4, 4)?;
    let config = LaunchConfig::for_matrix(4, 4);
    resized::load(&device)?.launch(&stream, config, (&found, &mut small))?;
    // ANCHOR_END: launch_edges
    let at = |row: i32, col: i32| {
        let is_inside = (0..8).contains(&row) && (0..8).contains(&col);
        f32::from(u8::from(is_inside && is_bright((row * 8 + col) as usize)))
    };
    let edge = |row, col| {
        at(row, col - 1) + at(row, col + 1) + at(row - 1, col) + at(row + 1, col)
            - 4.0 * at(row, col)
    };
    let expected: Vec<f32> = (0..64).map(|i| edge(i / 8, i % 8)).collect();
    assert_eq!(stream.download_texture(&found)?, expected);
    for (i, &found) in stream.download(&small)?.iter().enumerate() {
        // Between four pixels: the mean of them.
        let (row, col) = (2 * (i / 4) as i32, 2 * (i % 4) as i32);
        let sum = edge(row, col)
            + edge(row, col + 1)
            + edge(row + 1, col)
            + edge(row + 1, col + 1);
        assert_eq!(found, sum / 4.0, "{i}");
    }
    Ok(())
}

#[test]
fn integers_are_not_filtered() -> Result<(), Error> {
    let stream = crate::device()?.stream()?;
    assert_eq!(Sampling::linear().filter(), Filter::Linear);
    let error = stream.texture(1, 2, &[1_u8, 2], Sampling::linear()).unwrap_err();
    assert!(matches!(error, Error::TextureSampling { .. }));
    crate::says(&error, include_str!("../../messages/sampling.txt"));
    Ok(())
}

// ANCHOR: toned
/// Gives each grey the colour that a table has for it; between two of the table's there is a mixture.
#[gpu_kernel(requires = greys.len() == colours.len())]
fn toned(
    t: Thread,
    table: &Texture1d<[Norm<u8>; 4]>,
    greys: &[f32],
    mut colours: PerThread<[[f32; 4]]>,
) {
    if let Some(colour) = colours.get_mut(t) {
        *colour = table.sample(greys[t.index()]);
    }
}
// ANCHOR_END: toned

// ANCHOR: tiles
/// Covers `out` with tiles, every other one mirrored.
#[gpu_kernel]
fn mirrored_tiles(t: Thread, tile: &Texture2d<f32>, mut out: PerThread<Matrix<f32>>) {
    let (width, height) = (tile.width() as f32, tile.height() as f32);
    if let Some(out) = out.get_mut(t) {
        let (x, y) = (t.col() as f32 + 0.5, t.row() as f32 + 0.5);
        *out = tile.sample(x / width, y / height);
    }
}
// ANCHOR_END: tiles

#[test]
fn solutions() -> Result<(), Error> {
    let device = crate::device()?;
    let stream = device.stream()?;

    // ANCHOR: launch_toned
    let [blue, red] = [[0, 0, 255, 255], [255, 0, 0, 255]].map(|colour| colour.map(Norm));
    // From the middle of the first texel to that of the last one, in texels.
    let table = stream.texture_1d(&[blue, red], Sampling::linear())?;
    let greys = stream.upload(&[0.5_f32, 1.0, 1.5])?;
    let mut colours = stream.alloc_zeroed::<[f32; 4]>(3)?;
    let config = LaunchConfig::threads(3);
    toned::load(&device)?.launch(&stream, config, (&table, &greys, &mut colours))?;
    // ANCHOR_END: launch_toned
    let expected = [[0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0], [1.0, 0.0, 0.0, 1.0]];
    assert_eq!(stream.download(&colours)?, expected);

    // ANCHOR: launch_tiles
    let sampling = Sampling::nearest().address(Address::Mirror).normalized();
    let tile = stream.texture(2, 2, &[1.0_f32, 2.0, 3.0, 4.0], sampling)?;
    let mut out = stream.alloc_matrix_zeroed(2, 6)?;
    let config = LaunchConfig::for_matrix(2, 6);
    mirrored_tiles::load(&device)?.launch(&stream, config, (&tile, &mut out))?;
    let row = [1.0, 2.0, 2.0, 1.0, 1.0, 2.0];
    assert_eq!(stream.download(&out)?[..6], row);
    // ANCHOR_END: launch_tiles
    assert_eq!(stream.download(&out)?[6..], row.map(|texel| texel + 2.0));
    Ok(())
}
