use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use image::{DynamicImage, ImageFormat};

use crate::up_to;

/// The default is in the program, which may run where the source isn't.
const CHELSEA: &[u8] = include_bytes!("../images/chelsea.png");

/// The photograph that an example works on, for clap.
///
/// ```
/// use clap::Parser;
/// use gridwright_examples::Photograph;
///
/// #[derive(Parser)]
/// struct Options {
///     #[command(flatten)]
///     photograph: Photograph,
/// }
///
/// let Options { photograph } = Options::parse_from(["sample", "--most", "100"]);
/// let (rows, cols, grays) = photograph.grays()?;
/// assert_eq!((rows, cols, grays.len()), (100, 100, 10_000));
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Args, Clone, Debug)]
pub struct Photograph {
    /// The photograph, a PNG file. By default a cat.
    photograph: Option<PathBuf>,
    /// The most rows and columns: of a larger photograph the middle is taken.
    #[arg(long, default_value_t = 1 << 14, value_parser = up_to::<{ 1 << 14 }>)]
    most: usize,
}

impl Photograph {
    /// The photograph's rows and columns, and the brightness of its pixels, row after row.
    ///
    /// ```
    /// use clap::Parser;
    /// use gridwright_examples::Photograph;
    ///
    /// #[derive(Parser)]
    /// struct Options {
    ///     #[command(flatten)]
    ///     photograph: Photograph,
    /// }
    ///
    /// let (rows, cols, _) = Options::parse_from(["sample"]).photograph.grays()?;
    /// assert_eq!((rows, cols), (300, 451));
    /// assert!(Options::parse_from(["sample", "none.png"]).photograph.grays().is_err());
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where it isn't a PNG file that can be read.
    pub fn grays(&self) -> anyhow::Result<(usize, usize, Vec<u8>)> {
        let image = self.read()?.into_luma8();
        Ok((image.height() as usize, image.width() as usize, image.into_raw()))
    }

    /// The photograph's rows and columns, and the colours of its pixels: red, green, blue and how opaque.
    ///
    /// ```
    /// use clap::Parser;
    /// use gridwright_examples::Photograph;
    ///
    /// #[derive(Parser)]
    /// struct Options {
    ///     #[command(flatten)]
    ///     photograph: Photograph,
    /// }
    ///
    /// let (_, _, cat) = Options::parse_from(["sample"]).photograph.colours()?;
    /// assert!(cat.iter().all(|pixel| pixel[3] == 255));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`grays`](Self::grays).
    pub fn colours(&self) -> anyhow::Result<(usize, usize, Vec<[u8; 4]>)> {
        let image = self.read()?.into_rgba8();
        let pixels = image.pixels().map(|pixel| pixel.0).collect();
        Ok((image.height() as usize, image.width() as usize, pixels))
    }

    fn read(&self) -> anyhow::Result<DynamicImage> {
        let image = match &self.photograph {
            None => decode(CHELSEA, "the cat")?,
            Some(path) => read_png(path)?,
        };
        let most = u32::try_from(self.most)?;
        let (width, height) = (image.width().min(most), image.height().min(most));
        let (left, top) = ((image.width() - width) / 2, (image.height() - height) / 2);
        Ok(image.crop_imm(left, top, width, height))
    }
}

/// Reads a PNG file.
///
/// ```
/// let error = gridwright_examples::read_png("none.png".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "can't open none.png");
/// ```
///
/// # Errors
/// Where it can't be read, or isn't a PNG file.
pub fn read_png(path: &Path) -> anyhow::Result<DynamicImage> {
    let name = path.display().to_string();
    decode(&fs::read(path).with_context(|| format!("can't open {name}"))?, &name)
}

fn decode(bytes: &[u8], name: &str) -> anyhow::Result<DynamicImage> {
    image::load_from_memory_with_format(bytes, ImageFormat::Png)
        .with_context(|| format!("{name} isn't a PNG that can be read"))
}
