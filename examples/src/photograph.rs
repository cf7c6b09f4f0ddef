use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use image::{DynamicImage, GrayImage, ImageFormat, RgbaImage};

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
/// assert_eq!(photograph.grays()?.dimensions(), (100, 100));
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
    /// Its brightness.
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
    /// assert_eq!(Options::parse_from(["sample"]).photograph.grays()?.dimensions(), (451, 300));
    /// assert!(Options::parse_from(["sample", "none.png"]).photograph.grays().is_err());
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where it isn't a PNG file that can be read.
    pub fn grays(&self) -> anyhow::Result<GrayImage> {
        Ok(self.read()?.into_luma8())
    }

    /// Its colours: red, green, blue and how opaque.
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
    /// let cat = Options::parse_from(["sample"]).photograph.colours()?;
    /// assert!(cat.pixels().all(|pixel| pixel.0[3] == 255));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`grays`](Self::grays).
    pub fn colours(&self) -> anyhow::Result<RgbaImage> {
        Ok(self.read()?.into_rgba8())
    }

    fn read(&self) -> anyhow::Result<DynamicImage> {
        let (bytes, name) = match &self.photograph {
            None => (Cow::Borrowed(CHELSEA), "the cat".into()),
            Some(path) => {
                let name = path.display().to_string();
                (Cow::Owned(fs::read(path).with_context(|| format!("can't open {name}"))?), name)
            }
        };
        let image = image::load_from_memory_with_format(&bytes, ImageFormat::Png)
            .with_context(|| format!("{name} isn't a PNG that can be read"))?;
        let most = u32::try_from(self.most)?;
        let (width, height) = (image.width().min(most), image.height().min(most));
        let (left, top) = ((image.width() - width) / 2, (image.height() - height) / 2);
        Ok(image.crop_imm(left, top, width, height))
    }
}
