use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::draft::Draft;
use crate::submission::forbid;
use crate::{Error, Graph, Stream};

/// Whether a stream's calls run or are recorded.
#[derive(Debug, Default)]
pub(crate) struct Capture {
    /// The thread whose calls are recorded; none is 0.
    thread: AtomicUsize,
    recording: Mutex<Option<Recording>>,
}

#[derive(Debug)]
struct Recording {
    draft: Draft,
    /// The first call that can't be recorded.
    broken: Option<Error>,
}

/// A number that other threads don't have while this one runs.
fn this_thread() -> usize {
    thread_local! {
        static PLACE: u8 = const { 0 };
    }
    PLACE.with(|place| (&raw const *place).addr())
}

#[cold]
fn is_of_this(thread: usize, call: &'static str) -> Result<bool, Error> {
    if thread == this_thread() { Ok(true) } else { Err(Error::StreamCaptured { call }) }
}

impl Capture {
    fn lock(&self) -> MutexGuard<'_, Option<Recording>> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this thread's calls are recorded.
    ///
    /// # Errors
    /// [`Error::InHostFunction`], [`Error::StreamCaptured`] where another thread's are.
    #[inline]
    fn is_on(&self, call: &'static str) -> Result<bool, Error> {
        forbid(call)?;
        match self.thread.load(Ordering::Relaxed) {
            0 => Ok(false),
            thread => is_of_this(thread, call),
        }
    }
}

/// Ends a capture, also where the calls panic.
struct Turn<'s>(&'s Capture);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let recording = self.0.lock().take();
        self.0.thread.store(0, Ordering::Relaxed);
        // Without the lock: what the calls gave it may use the stream as it is dropped.
        drop(recording);
    }
}

impl Stream {
    /// Whether a call is recorded rather than run: this thread captures the stream.
    ///
    /// # Errors
    /// [`Error::InHostFunction`], [`Error::StreamCaptured`].
    #[inline]
    pub(crate) fn is_recorded(&self, call: &'static str) -> Result<bool, Error> {
        self.capture_state().is_on(call)
    }

    /// Records a call, which is checked as if it ran. An error of its own breaks nothing.
    #[cold]
    pub(crate) fn record_call(
        &self,
        record: impl FnOnce(&mut Draft) -> Result<usize, Error>,
    ) -> Result<(), Error> {
        match &mut *self.capture_state().lock() {
            Some(recording) => record(&mut recording.draft).map(|_| ()),
            // The capture is over: nothing is recorded any more, and its thread isn't here.
            None => Err(Error::CaptureBroken { call: "capture" }),
        }
    }

    /// Refuses a call that can't be recorded: it breaks the capture that this thread makes.
    ///
    /// # Errors
    /// [`Error::InHostFunction`], [`Error::StreamCaptured`], [`Error::CaptureBroken`].
    #[inline]
    pub(crate) fn forbid_capture(&self, call: &'static str) -> Result<(), Error> {
        if self.is_recorded(call)? { Err(self.break_capture(call)) } else { Ok(()) }
    }

    #[cold]
    fn break_capture(&self, call: &'static str) -> Error {
        let error = Error::CaptureBroken { call };
        if let Some(recording) = &mut *self.capture_state().lock() {
            recording.broken.get_or_insert_with(|| error.clone());
        }
        error
    }

    /// Records what `calls` does with the stream rather than running it, and makes a graph of it.
    ///
    /// Launches, fills, copies on the device, copies from slices, new memory, [`host`](Self::host) and [`on_host`](Self::on_host) are recorded, with all
    /// their checks. A copy from a slice takes the elements along, and writes the same ones in each replay. Memory that is
    /// made in a capture is the graph's own if its buffer is dropped, and is zeroed or written in each replay as in the
    /// capture.
    ///
    /// Only calls on this stream and its clones are recorded, and only of this thread: on other streams they run. Other
    /// threads can't use this stream meanwhile.
    ///
    /// # Errors
    /// - [`Error::CaptureBroken`] if one of the calls waits, marks or transfers to the host, such as
    ///   [`synchronize`](Self::synchronize) and [`download`](Self::download): nothing has run that they could wait for. Also
    ///   if `calls` ignores the error that the call itself gave;
    /// - [`Error::StreamCaptured`] if another thread captures the stream;
    /// - what `calls` gives;
    /// - [`Error::OutOfMemory`], [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// let mut y = stream.alloc_zeroed(3)?;
    /// let graph = stream.capture(|stream| {
    ///     stream.copy(&x, &mut y)?;
    ///     stream.fill(&mut x, 0.5)
    /// })?;
    /// assert_eq!(stream.download(&y)?, [0.0; 3]); // nothing has run
    /// graph.launch(&stream)?;
    /// assert_eq!(stream.download(&y)?, [1.0, 2.0, 3.0]);
    /// graph.launch(&stream)?;
    /// assert_eq!(stream.download(&y)?, [0.5; 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamBeginCapture`, `cudaStreamEndCapture` and `cudaGraphInstantiate`.
    /// Calls on other streams aren't captured, and waits for events can't be.
    pub fn capture(&self, calls: impl FnOnce(&Self) -> Result<(), Error>) -> Result<Graph, Error> {
        self.forbid_capture("capture")?;
        let capture = self.capture_state();
        let begun = capture.thread.compare_exchange(0, this_thread(), Ordering::Relaxed, Ordering::Relaxed);
        if begun.is_err() {
            return Err(Error::StreamCaptured { call: "capture" });
        }
        let turn = Turn(capture);
        *capture.lock() = Some(Recording { draft: Draft::new(self.device()), broken: None });
        let done = calls(self);
        let recording = capture.lock().take();
        drop(turn);
        let Some(Recording { draft, broken }) = recording else {
            return Err(Error::CaptureBroken { call: "capture" });
        };
        broken.map_or(Ok(()), Err)?;
        done?;
        Graph::of_draft(draft)
    }
}
