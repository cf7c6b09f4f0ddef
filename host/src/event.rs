use std::time::{Duration, Instant};

use crate::{Device, Error};

/// A point in a stream's work, from [`Stream::record`](crate::Stream::record).
///
/// ```
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let reached = stream.record()?;
/// stream.wait(&reached)?;
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Event {
    device: Device,
    reached: Instant,
}

impl Event {
    pub(crate) fn new(device: Device, reached: Instant) -> Self {
        Self { device, reached }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The time from an earlier event to this one; zero if that one is the later.
    ///
    /// # Errors
    /// [`Error::ForeignStream`] for an event of another device.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let start = stream.record()?;
    /// let end = stream.record()?;
    /// println!("{:?}", end.duration_since(&start)?);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn duration_since(&self, earlier: &Self) -> Result<Duration, Error> {
        if !self.device.is(&earlier.device) {
            return Err(Error::ForeignStream {
                place: "duration_since".into(),
                what: "event",
                device: self.device.identity(),
                other: earlier.device.identity(),
            });
        }
        Ok(self.reached.saturating_duration_since(earlier.reached))
    }
}
