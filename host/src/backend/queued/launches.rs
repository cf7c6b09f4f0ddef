//! Kernels, launches and graphs.

use std::any::Any;
use std::sync::{Arc, MutexGuard, PoisonError};

use gridwright_core::LaunchSizes;

use super::state::Job;
use super::{Engine, Queued, SHORT, of_bytes};
use crate::backend::{Backend, Graphs, Kernels, Launches, PeerUse, Peers};
use crate::submission::{
    Access, Code, GraphId, Kind, Launch, Loaded, LoadedKernel, MemoryId, StreamId, Task, Work,
};
use crate::{Attributes, Error, Occupancy};

impl<E: Engine> Kernels for Queued<E> {
    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        Ok(Arc::new(self.engine().load(code)?))
    }

    fn attributes(&self, kernel: &dyn LoadedKernel) -> Result<Attributes, Error> {
        Ok(self.engine().attributes(self.now().kernel(kernel, "attributes")?))
    }

    fn occupancy(&self, kernel: &dyn LoadedKernel, threads: usize, bytes: usize) -> Result<Occupancy, Error> {
        Ok(self.engine().occupancy(self.now().kernel(kernel, "occupancy")?, threads, bytes))
    }

    fn most_groups_in_cluster(&self, _: &dyn LoadedKernel, _: &LaunchSizes) -> Result<usize, Error> {
        Ok(self.engine().most_groups_in_cluster())
    }
}

impl<E: Engine> Queued<E> {
    /// The picoseconds that recorded work will take, as far as is known.
    fn of_work(&self, work: &Work) -> u64 {
        let of_task = |task: &Task| match task {
            Task::Nothing => 0,
            Task::Launch(task) => {
                let kernel = (*task.loaded).of();
                kernel.map_or(u64::MAX, |kernel| self.engine().expected(kernel, &task.sizes))
            }
            Task::Copy { bytes, .. } => of_bytes(*bytes),
            Task::CopyBox { copy, .. } => of_bytes(copy.bytes()),
            Task::Fill { pattern, count, .. } => of_bytes(pattern.len().saturating_mul(*count)),
            Task::Write { bytes, .. } => of_bytes(bytes.len()),
            Task::Host(_) => u64::MAX,
        };
        let tasks = work.operations.iter().map(|operation| of_task(&operation.task));
        tasks.fold(0, u64::saturating_add)
    }
}

impl<E: Engine> Launches for Queued<E> {
    #[inline]
    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let kernel = self.now().kernel(&**launch.kernel, "launch")?;
        let _turn = self.turn(launch.is_shared);
        let is_short = || launch.is_awaited || self.engine().expected(kernel, &launch.sizes) <= SHORT;
        if self.is_for_now(stream, launch.accesses, is_short) {
            // SAFETY: the caller checked the launch. Earlier uses of its memory are done, and it is borrowed, or the turn keeps others away.
            return unsafe { self.now().launch(kernel, launch) };
        }
        // SAFETY: the caller says that the arguments are the kernel's.
        let task = unsafe { launch.kept() };
        self.queue.push(stream, launch.accesses, Job::Launch(task));
        Ok(())
    }
}

impl<E: Engine> Graphs for Queued<E> {
    /// A number by which replays of the graph wait for each other, as uses of memory do.
    fn make_graph(&self, _: &Work) -> Result<GraphId, Error> {
        Ok(GraphId(self.number()))
    }

    unsafe fn replay(&self, stream: StreamId, graph: GraphId, work: &Arc<Work>) -> Result<(), Error> {
        let replay = Access { memory: MemoryId(graph.0), kind: Kind::Write };
        let _turn = self.turn_of_peers();
        let is_short = || self.of_work(work) <= SHORT;
        if self.is_for_now(stream, &work.accesses, is_short) && self.queue.is_free(stream, &[replay]) {
            // SAFETY: the caller made the graph of this work. Earlier uses of its memory are done, and the turn keeps others away.
            return unsafe { self.now().run(work) };
        }
        let work = Arc::clone(work);
        let accesses: Vec<_> = work.accesses.iter().copied().chain([replay]).collect();
        // SAFETY: the caller made the graph of this work, which keeps its memory. Earlier uses of it are done, and later ones wait.
        self.queue.push(stream, &accesses, Job::of(move |now| unsafe { now.run(&work) }));
        Ok(())
    }

    fn update_graph(&self, _: GraphId, _: &Work, _: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Does nothing: replays keep the work.
    fn drop_graph(&self, _: GraphId) {}

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Engine> Peers for Queued<E> {
    fn can_access_peer(&self, peer: &dyn Backend) -> Result<bool, Error> {
        Ok(self.engine().shares_memory() && peer.kind() == E::KIND)
    }

    /// Runs the kernel before it returns: no line is of several devices.
    unsafe fn launch_with_peers(
        &self,
        stream: StreamId,
        launch: &Launch<'_>,
        peers: &[PeerUse<'_>],
    ) -> Result<(), Error> {
        for PeerUse { peer, access } in peers {
            if let Some(other) = (*peer as &dyn Any).downcast_ref::<Self>() {
                other.queue.wait_for(None, &[*access]);
            }
        }
        self.queue.wait_for(Some(stream), launch.accesses);
        // SAFETY: the caller checked the launch. Earlier uses of its memory are done on all devices, and it is borrowed, or replays are kept away.
        unsafe { self.now().launch(self.now().kernel(&**launch.kernel, "launch")?, launch) }
    }
}
