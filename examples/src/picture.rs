use std::fs;
use std::path::Path;

use anyhow::Context;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, GrayImage, RgbImage};

/// Writes a PNG file of pixels from 0.0, black, to 255.0, white, row after row. What is beyond becomes the nearer of the two.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("ramp.png");
/// gridwright_examples::write_grays(&path, [1, 3], [0.0, 100.4, 300.0])?;
/// assert_eq!(image::open(&path)?.into_luma8().into_raw(), [0, 100, 255]);
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// Where there are too few pixels, or the file can't be written.
pub fn write_grays(
    path: &Path,
    [rows, cols]: [usize; 2],
    pixels: impl IntoIterator<Item = f32>,
) -> anyhow::Result<()> {
    let bytes = pixels.into_iter().map(|pixel| pixel.round() as u8).collect();
    let image = GrayImage::from_raw(u32::try_from(cols)?, u32::try_from(rows)?, bytes);
    write_picture(path, image.context("too few pixels")?)
}

/// Writes a PNG file of pixels of red, green and blue, row after row.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("flag.png");
/// gridwright_examples::write_colours(&path, [1, 2], [[255, 0, 0], [0, 0, 255]])?;
/// assert_eq!(image::open(&path)?.into_rgb8().into_raw(), [255, 0, 0, 0, 0, 255]);
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// Where there are too few pixels, or the file can't be written.
pub fn write_colours(
    path: &Path,
    [rows, cols]: [usize; 2],
    pixels: impl IntoIterator<Item = [u8; 3]>,
) -> anyhow::Result<()> {
    let bytes = pixels.into_iter().flatten().collect();
    let image = RgbImage::from_raw(u32::try_from(cols)?, u32::try_from(rows)?, bytes);
    write_picture(path, image.context("too few pixels")?)
}

/// Writes a PNG file.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("black.png");
/// gridwright_examples::write_picture(&path, image::GrayImage::new(5, 3))?;
/// assert_eq!(image::image_dimensions(&path)?, (5, 3));
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// Where the file can't be written.
pub fn write_picture(path: &Path, image: impl Into<DynamicImage>) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    image.into().write_with_encoder(PngEncoder::new_with_quality(
        &mut bytes,
        CompressionType::Best,
        FilterType::Adaptive,
    ))?;
    fs::write(path, bytes).with_context(|| format!("can't write {}", path.display()))
}
