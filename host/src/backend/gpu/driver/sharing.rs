//! Who else has a stream: another library's types, or who made it.

use std::any::Any;
use std::fmt::Debug;

use super::{Driver, Vendor};
use crate::submission::StreamId;

/// Another library's type for a stream of ours, of which there may be more than the one that we keep.
pub(crate) trait Lent: Any + Debug + Send {
    /// Whether somebody else has the stream now.
    fn is_elsewhere(&self) -> bool;

    /// Gives our own type up: whether it was the last, so that nobody gets another.
    fn end(self: Box<Self>) -> bool;
}

/// Who else has a stream.
#[derive(Debug, Default)]
#[cfg_attr(
    not(feature = "cudarc"),
    allow(dead_code, reason = "without it nobody has a stream but those who opened it")
)]
pub(super) enum Sharing {
    /// A stream of ours alone.
    #[default]
    None,
    /// A stream of ours, given to another library.
    Lent(Box<dyn Lent>),
    /// A stream of somebody else's, and the other library's type for it if we know it. We don't destroy it.
    Foreign(Option<Box<dyn Lent>>),
    /// A stream of somebody else's, which we have no more.
    /// All our work on it has a mark behind it; its address means nothing.
    Retired,
}

impl Sharing {
    /// Whether somebody has our stream now.
    pub(super) fn is_lent(&self) -> bool {
        matches!(self, Self::Lent(stream) if stream.is_elsewhere())
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(self, Self::Foreign(_))
    }

    pub(super) fn is_retired(&self) -> bool {
        matches!(self, Self::Retired)
    }

    /// Whether the stream is ours, and whether somebody has it for ever, when the device is closed.
    pub(super) fn end(self) -> (bool, bool) {
        match self {
            Self::None => (true, false),
            Self::Lent(stream) => (true, !stream.end()),
            Self::Foreign(_) | Self::Retired => (false, false),
        }
    }
}

impl<V: Vendor> Driver<V> {
    /// Closes a stream that isn't ours: from here on it may be destroyed by who made it. Its tickets go on meaning
    /// something.
    pub(super) fn retire_stream(&self, stream: StreamId) {
        // Where the context can't be entered it is gone, and so is the work.
        let entered = self.enter().is_ok();
        let state = &mut *self.lock();
        let stream = state.stream_mut(stream);
        if stream.done < stream.submitted && !(entered && stream.mark(self.api()).is_ok()) {
            // There is nobody to tell. If this fails too, nothing runs any more.
            // SAFETY: not closed yet, so that it is still there.
            let _ = unsafe { (self.api().synchronize_stream.call)(stream.raw) };
            stream.finish(stream.submitted);
        }
        (stream.raw, stream.sharing) = (std::ptr::null_mut(), Sharing::Retired);
    }
}
