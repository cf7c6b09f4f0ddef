use std::sync::Arc;
use std::time::Duration;

use crate::submission::Mark;
use crate::{Device, Error};

/// A point in a stream's work, from [`Stream::record`](crate::Stream::record).
///
/// ```
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let reached = stream.record()?;
/// stream.wait(&reached)?;
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaEvent_t`. All events have times. Dropping the last clone stands in for `cudaEventDestroy`.
#[derive(Clone, Debug)]
pub struct Event(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: Device,
    mark: Mark,
}

impl Event {
    pub(crate) fn new(device: Device, mark: Mark) -> Self {
        Self(Arc::new(Inner { device, mark }))
    }

    pub(crate) fn device(&self) -> &Device {
        &self.0.device
    }

    pub(crate) fn mark(&self) -> &Mark {
        &self.0.mark
    }

    /// The time from an earlier event to this one; zero if that one is the later. It waits until both are reached.
    ///
    /// # Errors
    /// [`Error::ForeignStream`] for an event of another device, [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let start = stream.record()?;
    /// let end = stream.record()?;
    /// println!("{:?}", end.duration_since(&start)?);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventElapsedTime`, behind `cudaEventSynchronize` for both events.
    /// It is a `Duration` rather than a `float` of milliseconds.
    pub fn duration_since(&self, earlier: &Self) -> Result<Duration, Error> {
        let device = self.device();
        if !device.is(earlier.device()) {
            return Err(Error::ForeignStream {
                place: "duration_since".into(),
                what: "event",
                device: device.identity(),
                other: earlier.device().identity(),
            });
        }
        device.waiting("duration_since", || self.time_since(earlier))
    }

    /// The time from an earlier event of the same device to this one.
    pub(crate) fn time_since(&self, earlier: &Self) -> Result<Duration, Error> {
        self.device().backend().elapsed(earlier.mark(), self.mark())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let mark = self.mark.clone();
        self.device.outside_host_calls(move |device| device.backend().forget(&mark));
    }
}
