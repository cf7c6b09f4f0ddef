use std::sync::{Arc, MutexGuard};

use crate::Error;
use crate::submission::{GraphId, StreamId, Work};

/// Work that is recorded once and replayed.
pub(crate) trait Graphs {
    /// Makes work ready to be replayed.
    fn make_graph(&self, work: &Work) -> Result<GraphId, Error>;

    /// Runs all of a graph's work. Nobody's borrow keeps others from its memory: the backend does.
    ///
    /// # Safety
    /// The graph was made or updated with this work, whose operations have been checked as those that are called here by
    /// themselves, and whose memory lives.
    unsafe fn replay(&self, stream: StreamId, graph: GraphId, work: &Arc<Work>) -> Result<(), Error>;

    /// Has later replays do this work, which differs from the graph's in the launch of one operation. After an error
    /// the graph is as it was.
    fn update_graph(&self, graph: GraphId, work: &Work, operation: usize) -> Result<(), Error>;

    /// Takes a graph back, once its replays are done.
    fn drop_graph(&self, graph: GraphId);

    /// Keeps replays away, and who else waits for them, until it is dropped: for uses of this device's memory by others. Of
    /// several devices' it is taken in the order of their numbers, before the locks of backends.
    fn turn_of_peers(&self) -> MutexGuard<'_, ()>;
}
