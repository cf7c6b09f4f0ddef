use std::sync::Arc;

use crate::profile::Piece;
use crate::submission::{HostCall, Order};
use crate::{Error, Stream};

impl Stream {
    /// Calls a function of the program when the stream's work so far is done, before what is submitted later. In a graph it
    /// is called in each replay; otherwise once.
    ///
    /// The function can't use the device: each call of a stream or a graph in it is [`Error::InHostFunction`]. Nor may it wait
    /// for a thread that does. A thread of the device's or its driver's calls it, or one that waits for the stream. On a GPU all of the device's work may wait for it: let
    /// it do little, like sending on a channel. If the device is lost before, it isn't called.
    ///
    /// A panic of it is [`Error::HostPanic`] of the next call that synchronises.
    ///
    /// # Errors
    /// None on the CPU; on a GPU [`Error::DeviceLost`] or [`Error::Backend`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let mut buffer = stream.alloc_zeroed::<f32>(1000)?;
    /// stream.fill(&mut buffer, 1.0)?;
    /// stream.host(move || drop(sender.send("filled")))?;
    /// assert_eq!(receiver.recv(), Ok("filled"));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaLaunchHostFunc`, and `cudaGraphAddHostNode` in a capture.
    pub fn host(&self, function: impl FnMut() + Send + 'static) -> Result<(), Error> {
        let call = Arc::new(HostCall::new(self.device().host_panics(), function));
        if self.is_recorded("host")? {
            return self.record_call(|draft| Ok(draft.host(call, Order::All)));
        }
        let timing = self.timing(&[], Piece::host_function);
        self.device().backend().call_host(self.id(), call, &[])?;
        timing.end();
        Ok(())
    }
}
