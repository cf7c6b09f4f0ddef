//! An image whose shades are spread evenly: a histogram, its sums, and a look into a table for each pixel.

// ANCHOR: program
use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::Add;
use gridwright_primitives::source::{Gather, Map, Slice};
#[host_only]
use gridwright_primitives::{Error, Input};

operator! {
    /// The shade for a number of pixels that are as dark or darker.
    pub struct Shade { pixels: u32 } = |darker: u32| -> u32 { (u64::from(darker) * 255 / u64::from(pixels)) as u32 };
}

/// Stands for this crate's instances.
pub struct Equalized;

instance! { impl primitives::Collect<Map<Gather<Slice<u32>, Slice<u32>>, Shade>> for Equalized; }

#[host_only]
pub(crate) fn run(stream: &Stream) -> Result<(), Error> {
    // A dark image.
    let image: Vec<u32> = (0..640 * 480).map(|i| i % 640 * (i / 640) / 3000).collect();
    let pixels = stream.upload(&image)?;
    let (mut counts, mut darker) = (stream.alloc_zeroed(256)?, stream.alloc_zeroed(256)?);
    let mut equalized = stream.alloc_zeroed(image.len())?;

    // The library has instances of its own for numbers.
    let p = primitives::on(stream);
    p.histogram(&pixels, &mut counts)?;
    p.inclusive_scan(&counts, Add, &mut darker)?;
    let shade = Shade { pixels: image.len() as u32 };
    p.with_kernels::<Equalized>().collect_into(darker.gather(&pixels).map(shade), &mut equalized)?;

    let equalized = stream.download(&equalized)?;
    assert_eq!(image.iter().max(), Some(&102));
    assert_eq!(equalized.iter().max(), Some(&255));
    Ok(())
}
// ANCHOR_END: program
