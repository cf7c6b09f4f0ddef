//! Recorded work as graphs of the driver's.

use std::sync::{Arc, MutexGuard};

use super::state::{Dropped, DroppedMemory, State};
use super::{Driver, Status, Vendor};
use crate::submission::{GraphId, StreamId, Task, Ticket, Work};
use crate::{Error, backend};

mod dependencies;
mod exec;

pub(super) use exec::Exec;
use exec::{Failed, Of};

/// The graphs of a device, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    execs: Vec<Option<Exec>>,
    unused: Vec<GraphId>,
    /// Graphs whose last replay is done: to be destroyed without the lock, as they have functions of the
    /// program's.
    pub(super) finished: Vec<Exec>,
}

impl Graphs {
    fn add(&mut self, exec: Exec) -> GraphId {
        match self.unused.pop() {
            Some(id) => {
                self.execs[id.0 as usize] = Some(exec);
                id
            }
            None => {
                self.execs.push(Some(exec));
                GraphId(self.execs.len() as u64 - 1)
            }
        }
    }

    fn get_mut(&mut self, id: GraphId) -> Option<&mut Exec> {
        self.execs.get_mut(id.0 as usize)?.as_mut()
    }

    /// All graphs that there are, when the device is closed.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Exec> {
        self.execs.drain(..).flatten().chain(self.finished.drain(..))
    }
}

impl<V: Vendor> backend::Graphs for Driver<V> {
    fn make_graph(&self, work: &Work) -> Result<GraphId, Error> {
        drop(self.begin()?);
        let exec = self.make_exec(work)?;
        Ok(self.lock().graphs.add(exec))
    }

    unsafe fn replay(&self, stream: StreamId, id: GraphId, work: &Arc<Work>) -> Result<(), Error> {
        let _turn = self.turn();
        let state = &mut *self.begin()?;
        for &access in &work.accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        let raw = state.stream(stream).raw;
        let Some(last) = state.graphs.get_mut(id).map(|exec| exec.last) else { return Ok(()) };
        if let Some(last) = last {
            // The driver has replays wait for each other, but not for those before an update.
            let waited = state.wait_for(self.api(), stream, last);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        let Some(exec) = state.graphs.get_mut(id) else { return Ok(()) };
        let kernels = Arc::clone(&exec.kernels);
        // SAFETY: the graph's memory lives, and the stream has its other uses behind it.
        let status = unsafe { (self.api().launch_graph.call)(exec.exec, raw) };
        if status != Status::SUCCESS {
            return Err(self.error_in(state, self.api().launch_graph.name, status));
        }
        for kernel in &*kernels {
            state.launched.add(kernel);
        }
        let ticket = Ticket { stream: stream.0, number: state.stream_mut(stream).submit_graph(kernels) };
        if let Some(exec) = state.graphs.get_mut(id) {
            exec.last = Some(ticket);
        }
        state.add_uses(self.api(), &work.accesses, ticket);
        Ok(())
    }

    fn update_graph(&self, id: GraphId, work: &Work, operation: usize) -> Result<(), Error> {
        let Some(Task::Launch(kernel)) = work.operations.get(operation).map(|operation| &operation.task)
        else {
            return Ok(());
        };
        {
            let state = &mut *self.begin()?;
            let Some(exec) = state.graphs.get_mut(id) else { return Ok(()) };
            if exec.can_take(work, kernel, operation) {
                let set = exec.set(&self.vendor, kernel, operation);
                return set
                    .map_err(|(call, status)| self.launch_error(state, kernel.code.name, call, status));
            }
        }
        let mut exec = self.make_exec(work)?;
        let mut state = self.lock();
        if let Some(known) = state.graphs.get_mut(id) {
            exec.last = known.last;
            let old = std::mem::replace(known, exec);
            self.retire(&mut state, old);
        }
        drop(state);
        self.destroy_finished();
        Ok(())
    }

    fn drop_graph(&self, id: GraphId) {
        // There is nobody to tell of errors. What isn't freed here is freed when the device is closed.
        let entered = self.enter().is_ok();
        let mut state = self.lock();
        let exec = state.graphs.execs.get_mut(id.0 as usize).and_then(Option::take);
        state.graphs.unused.push(id);
        if let Some(exec) = exec {
            self.retire(&mut state, exec);
        }
        drop(state);
        if entered {
            self.destroy_finished();
        }
    }

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.turn()
    }
}

impl<V: Vendor> Driver<V> {
    fn make_exec(&self, work: &Work) -> Result<Exec, Error> {
        let processor_bytes = self.traits.workgroup_memory_of_processor;
        let of = Of { api: self.api(), vendor: &self.vendor, processor_bytes };
        Exec::make(&of, work).map_err(|failed| self.failed(failed))
    }

    fn failed(&self, Failed { called: (call, status), kernel }: Failed) -> Error {
        match kernel {
            Some(kernel) => self.launch_error(&self.lock(), kernel, call, status),
            None => self.error(call, status),
        }
    }

    /// Has a graph destroyed once its last replay is done.
    fn retire(&self, state: &mut State, exec: Exec) {
        let uses = exec.last.into_iter().collect();
        state.dropped.push(Dropped { memory: DroppedMemory::Graph(Box::new(exec)), uses });
        self.free_dropped(state);
    }

    /// Destroys graphs whose replays are done. The context is current, and no lock is held: they have functions of the
    /// program's.
    pub(super) fn destroy_finished(&self) {
        let finished = std::mem::take(&mut self.lock().graphs.finished);
        for exec in finished {
            exec.destroy(self.api());
        }
    }
}
