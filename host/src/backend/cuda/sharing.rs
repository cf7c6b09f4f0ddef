//! Who else has a stream: cudarc's types, or who made it.

use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::Cuda;
use crate::backend::StreamId;

/// Who else has a stream.
#[derive(Debug, Default)]
#[cfg_attr(
    not(feature = "cudarc"),
    allow(dead_code, reason = "without it nobody has a stream but those who opened it")
)]
pub(super) enum Sharing {
    /// Ours alone.
    #[default]
    None,
    /// Ours, given to cudarc.
    Lent(Arc<CudaStream>),
    /// Somebody else's, and cudarc's type for it if we know it. We don't destroy it.
    Foreign(Option<Arc<CudaStream>>),
    /// Somebody else's, which we have no more. All our work on it has a mark behind it; its address means nothing.
    Retired,
}

impl Sharing {
    /// Whether somebody has our stream now.
    pub(super) fn is_lent(&self) -> bool {
        matches!(self, Self::Lent(stream) if Arc::strong_count(stream) + Arc::weak_count(stream) > 1)
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(self, Self::Foreign(_))
    }

    pub(super) fn is_retired(&self) -> bool {
        matches!(self, Self::Retired)
    }

    /// When the device is closed: whether the stream is ours, and whether somebody has it for ever.
    pub(super) fn end(self) -> (bool, bool) {
        match self {
            Self::None => (true, false),
            // Who takes the last one out can be sure that nobody gets another.
            Self::Lent(stream) => (true, Arc::into_inner(stream).is_none()),
            Self::Foreign(_) | Self::Retired => (false, false),
        }
    }
}

impl Cuda {
    /// Closes a stream that isn't ours: from here on it may be destroyed by who made it. Its tickets go on meaning
    /// something.
    pub(super) fn retire_stream(&self, stream: StreamId) {
        // Where the context can't be entered it is gone, and so is the work.
        let entered = self.context.enter().is_ok();
        let state = &mut *self.lock();
        let stream = state.stream_mut(stream);
        if stream.done < stream.submitted && !(entered && stream.mark(self.api()).is_ok()) {
            // There is nobody to tell. If this fails too, nothing runs any more.
            // SAFETY: not closed yet, so that it is still there.
            let _ = unsafe { (self.api().synchronize_stream)(stream.raw) };
            stream.finish(stream.submitted);
        }
        (stream.raw, stream.sharing) = (std::ptr::null_mut(), Sharing::Retired);
    }
}
