use std::borrow::Borrow;
use std::fmt::{Debug, Display};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::Parser;
use gridwright::{Device, Error, Stream};

use crate::check::{self, Name};
use crate::{Timing, write_colours, write_grays};

/// What a sample begins with.
///
/// ```no_run
/// use clap::Parser;
/// use gridwright::prelude::*;
/// use gridwright_examples::elementary::nothing;
/// use gridwright_examples::{Sample, Timing};
///
/// /// Lets threads do nothing.
/// #[derive(Parser)]
/// struct Options {
///     /// Threads.
///     #[arg(long, default_value_t = 1000)]
///     threads: usize,
/// }
///
/// # fn main() -> anyhow::Result<()> {
/// let Sample { options: Options { threads }, device, stream, report } = Sample::begin("nothing")?;
/// let kernel = nothing::load(&device)?;
/// let timing = Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(threads), ()))?;
/// report.timed(format_args!("{threads} threads"), timing, "threads", threads)
/// # }
/// ```
#[derive(Debug)]
pub struct Sample<O> {
    /// The options of the command line.
    pub options: O,
    /// The device that `GRIDWRIGHT_DEVICE` names.
    pub device: Device,
    /// A stream of the device.
    pub stream: Stream,
    /// Where the sample tells what it finds.
    pub report: Report,
}

impl<O: Parser> Sample<O> {
    /// Reads the options, opens the device and tells its name. The label is as for [`Report::new`].
    ///
    /// ```no_run
    /// use gridwright_examples::Sample;
    ///
    /// /// Opens a device.
    /// #[derive(clap::Parser)]
    /// struct Options {}
    ///
    /// let Sample { options: Options {}, device, .. } = Sample::begin("device")?;
    /// assert_eq!(device.name(), gridwright::Device::from_env()?.name());
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the device. Wrong options end the program.
    pub fn begin(label: &'static str) -> anyhow::Result<Self> {
        let (options, device, report) = (O::parse(), Device::from_env()?, Report::new(label));
        report.row("device", device.name())?;
        Ok(Self { options, stream: device.stream()?, device, report })
    }
}

/// What a sample tells: rows of a label and a text each, one below the other.
///
/// ```
/// use gridwright_examples::Report;
///
/// let report = Report::new("convolution");
/// report.row("convolution", format_args!("{} x {} pixels", 640, 480))?;
/// report.equal("pixel", &[0, 1, 2], 0..3)?;
/// // convolution  640 x 480 pixels
/// // checked      every pixel
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Report {
    label: &'static str,
}

impl Report {
    /// A report whose timed row has a label. Room is made for labels of its length, and at least for `checked`.
    ///
    /// ```
    /// gridwright_examples::Report::new("sum").row("sum", 5050)?;
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn new(label: &'static str) -> Self {
        Self { label }
    }

    /// Writes a row to standard output.
    ///
    /// ```
    /// gridwright_examples::Report::new("sum").row("checked", "the sum")?;
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn row(&self, label: &str, text: impl Display) -> anyhow::Result<()> {
        let width = self.label.len().max("checked".len());
        writeln!(std::io::stdout(), "{label:width$}  {text}").context("can't write to standard output")
    }

    /// Writes the row of the report's own label: what was done, in which time, and the rate for `count` of `unit`.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_examples::{Report, Timing, elementary::nothing};
    ///
    /// # fn main() -> anyhow::Result<()> {
    /// let device = Device::from_env()?;
    /// let stream = device.stream()?;
    /// let kernel = nothing::load(&device)?;
    /// let timing = Timing::of(&stream, || kernel.launch(&stream, LaunchConfig::threads(64), ()))?;
    /// Report::new("nothing").timed("by 64 threads", timing, "threads", 64)?;
    /// // nothing  by 64 threads, 0.9 µs, 71.11 Mthreads/s
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn timed(&self, what: impl Display, timing: Timing, unit: &str, count: usize) -> anyhow::Result<()> {
        self.row(self.label, format_args!("{what}, {timing}, {}", timing.rate(unit, count)))
    }

    /// Checks a result by [`check::equal`], and tells that every element was checked.
    ///
    /// ```
    /// let report = gridwright_examples::Report::new("squares");
    /// report.equal("square", &[0, 1, 4], (0..3).map(|i| i * i))?;
    /// assert!(report.equal("square", &[0, 1], [0, 1, 4]).is_err());
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the check, and of the row.
    pub fn equal<'n, T: PartialEq + Debug>(
        &self,
        name: impl Into<Name<'n>>,
        found: &[T],
        expected: impl IntoIterator<Item: Borrow<T>>,
    ) -> anyhow::Result<()> {
        let name = name.into();
        check::equal(name, found, expected)?;
        self.row("checked", format_args!("every {name}"))
    }

    /// Checks a result by [`check::close`], and tells that every element was checked.
    ///
    /// ```
    /// let report = gridwright_examples::Report::new("roots");
    /// report.close("root", &[1.0, 1.4142], [(1.0, 0.0), (2.0_f64.sqrt(), 1e-4)])?;
    /// assert!(report.close("root", &[1.0, 1.4142], [(1.0, 0.0), (1.5, 1e-4)]).is_err());
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the check, and of the row.
    pub fn close<'n, T: Copy + Into<f64>, E: Into<f64>>(
        &self,
        name: impl Into<Name<'n>>,
        found: &[T],
        expected: impl IntoIterator<Item = (E, E)>,
    ) -> anyhow::Result<()> {
        let name = name.into();
        check::close(name, found, expected)?;
        self.row("checked", format_args!("every {name}"))
    }

    /// Writes a picture by [`write_grays`], and tells where it is.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("ramp.png");
    /// gridwright_examples::Report::new("ramp").grays(&path, [1, 3], [0.0, 127.0, 255.0])?;
    /// assert_eq!(image::image_dimensions(&path)?, (3, 1));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the picture or the row can't be written.
    pub fn grays(
        &self,
        path: &Path,
        size: [usize; 2],
        pixels: impl IntoIterator<Item = f32>,
    ) -> anyhow::Result<()> {
        write_grays(path, size, pixels)?;
        self.row("picture", path.display())
    }

    /// Writes a picture by [`write_colours`], and tells where it is.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("flag.png");
    /// gridwright_examples::Report::new("flag").colours(&path, [1, 2], [[255, 0, 0], [0, 0, 255]])?;
    /// assert_eq!(image::image_dimensions(&path)?, (2, 1));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the picture or the row can't be written.
    pub fn colours(
        &self,
        path: &Path,
        size: [usize; 2],
        pixels: impl IntoIterator<Item = [u8; 3]>,
    ) -> anyhow::Result<()> {
        write_colours(path, size, pixels)?;
        self.row("picture", path.display())
    }
}

/// All devices of the kind that `GRIDWRIGHT_DEVICE` names.
///
/// ```
/// let devices = gridwright_examples::devices_of_a_kind()?;
/// assert!(devices.iter().all(|device| device.kind() == devices[0].kind()));
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # Errors
/// Those of the devices.
pub fn devices_of_a_kind() -> Result<Vec<Device>, Error> {
    let named = Device::from_env()?;
    let devices: Vec<_> = Device::all()?.into_iter().filter(|device| device.kind() == named.kind()).collect();
    // A device that isn't listed is the only one of its kind.
    Ok(if devices.is_empty() { vec![named] } else { devices })
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn reports_check_what_they_tell() {
        let report = Report::new("sum");
        report.equal("element", &[1, 2], [1, 2]).unwrap();
        report.close("element", &[1.0], [(1.5, 0.5)]).unwrap();
        assert_eq!(report.equal("sum", &[1], [2]).unwrap_err().to_string(), "sum 0 is 1 instead of 2");
        assert!(report.equal("sum", &[1], [1, 2]).is_err());
        assert!(report.close("sum", &[1.0], [(1.5, 0.25)]).is_err());
        assert!(report.close("sum", &[f64::NAN], [(1.5, 0.25)]).is_err());
        assert!(report.close("sum", &[1.0, 2.0], [(1.0, 0.0)]).is_err());
    }
}
