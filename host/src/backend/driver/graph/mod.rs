//! Recorded work as graphs of the driver's, and functions of the host's in the order of streams.

use std::ffi::c_void;
use std::sync::Arc;

use super::state::{Dropped, DroppedMemory, State};
use super::{Driver, Status, Vendor};
use crate::Error;
use crate::backend::{GraphId, StreamId, Task, Ticket, Work};
use crate::host_call::HostCall;

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
                GraphId(self.execs.len() as u32 - 1)
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

impl<V: Vendor> Driver<V> {
    pub(super) fn make_graph_of(&self, work: &Work) -> Result<GraphId, Error> {
        drop(self.begin()?);
        let exec = self.make_exec(work)?;
        Ok(self.lock().graphs.add(exec))
    }

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

    /// # Safety
    /// As [`Backend::replay`](crate::backend::Backend::replay) asks.
    pub(super) unsafe fn replay_graph(
        &self,
        stream: StreamId,
        id: GraphId,
        work: &Work,
    ) -> Result<(), Error> {
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

    pub(super) fn update_graph_to(&self, id: GraphId, work: &Work, operation: usize) -> Result<(), Error> {
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

    pub(super) fn drop_graph_of(&self, id: GraphId) {
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

    /// Gives a stream a function of the program.
    pub(super) fn call_host_on(&self, stream: StreamId, call: Arc<HostCall>) -> Result<(), Error> {
        /// # Safety
        /// `call` is of `Arc::into_raw`, for this one call.
        unsafe extern "C" fn run_once(call: *mut c_void) {
            // SAFETY: what the driver was given.
            unsafe { Arc::from_raw(call.cast::<HostCall>()) }.run_once();
        }
        let Some(launch) = self.api().launch_host else {
            return Err(Error::Backend {
                device: self.name.clone(),
                call: "Stream::host",
                message: "this driver can't call functions of the program; install a newer one".into(),
            });
        };
        let call = Arc::into_raw(call).cast_mut().cast::<c_void>();
        let given = self.submit(stream, &[], |_, stream| {
            // SAFETY: the function takes what it is given, once.
            match unsafe { (launch.call)(stream, Some(run_once), call) } {
                Status::SUCCESS => Ok(()),
                status => Err((launch.name, status)),
            }
        });
        if given.is_err() {
            // SAFETY: made above, and nobody calls it.
            drop(unsafe { Arc::from_raw(call.cast::<HostCall>().cast_const()) });
        }
        given.map(|_| ())
    }
}
