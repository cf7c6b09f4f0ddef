//! Functions of the program that work on a device's elements in the host's memory.

use std::sync::Arc;

use crate::cpu_arguments::{CpuDestination, Uses};
use crate::profile::Piece;
use crate::staging::{Staged, allocate};
use crate::submission::{HostCall, Operation, Order, Owner, Place, Task};
use crate::{CpuArguments, Error, Stream};

impl Stream {
    /// Calls a function of the program on elements of the stream's device, in the order of its work. `&buffer` comes as a slice, `&mut buffer`
    /// as a mutable one. In a graph it is called in each replay; otherwise once.
    ///
    /// On a CPU device the function gets the memory itself. On a GPU the elements are
    /// copied to mapped memory of the host before the call, and those of `&mut buffer` back after it; nobody waits here.
    /// [`Overwritten`](crate::Overwritten) leaves out the first copy. Parts of unified and mapped memory are passed without copies.
    ///
    /// The copies' memory is the stream's, which keeps it for later calls, or the graph's. [`InOrder`](crate::InOrder) orders calls of several
    /// streams.
    ///
    /// What [`host`](Self::host) says of the function goes for this one: it can't use the device, nor wait for a thread that does. In a
    /// graph, it comes behind the operations that use the same memory, rather than behind all.
    ///
    /// A panic of it is [`Error::HostPanic`] of the next call that synchronises. What it had written by then is copied to the device all
    /// the same.
    ///
    /// # Errors
    /// [`Error::ForeignBuffer`], [`Error::OutOfMemory`]; in a capture also [`Error::NotForGraphs`]; on a GPU [`Error::DeviceLost`] or
    /// [`Error::Backend`], after which the elements of `&mut buffer` may be any.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3, 1, 2])?;
    /// let mut y = stream.alloc_zeroed::<i32>(3)?;
    /// stream.on_host((&x, &mut y), |(x, y)| {
    ///     y.copy_from_slice(x);
    ///     y.sort_unstable();
    /// })?;
    /// assert_eq!(stream.download(&y)?, [1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpyAsync` to pinned memory, `cudaLaunchHostFunc`, and `cudaMemcpyAsync` back; in a capture the nodes of all three.
    pub fn on_host<A: CpuArguments>(
        &self,
        arguments: A,
        mut function: impl FnMut(A::Views<'_>) + Send + 'static,
    ) -> Result<(), Error> {
        const CALL: &str = "on_host";
        let is_recorded = self.is_recorded(CALL)?;
        if self.device().backend().workers().is_some() {
            return if is_recorded {
                self.on_memory(CALL, arguments, function)
            } else {
                self.call_on_memory(CALL, arguments, function)
            };
        }
        let mut staged = Staged::new(is_recorded);
        let raw = arguments.pass(&mut CpuDestination::new(self, CALL, Uses::OfCopies(&mut staged)))?;
        let call = move |staging: Place| {
            move || {
                // SAFETY: staging memory has the copies, and others use it before or after the function, which is in its order. So it is with
                // memory that the host reaches. It is kept as long as the function may be called, and no two parts overlap.
                function(unsafe { A::views(&raw, staging.address()) });
            }
        };
        if is_recorded { self.record_staged(&mut staged, call) } else { self.call_staged(&staged, call) }
    }

    /// Gives the stream a function with its copies.
    fn call_staged<F: FnMut() + Send + 'static>(
        &self,
        staged: &Staged,
        call: impl FnOnce(Place) -> F,
    ) -> Result<(), Error> {
        let mut turn = self.staging().lock();
        let staging = turn.room(self, staged.bytes())?;
        let call = Arc::new(HostCall::new(self.device().host_panics(), call(staging)));
        let given = self.give_staged(staged, staging, Arc::clone(&call));
        // What the function owns is dropped without the lock, if it is here that it is.
        drop(turn);
        given
    }

    fn give_staged(&self, staged: &Staged, staging: Place, call: Arc<HostCall>) -> Result<(), Error> {
        let backend = self.device().backend();
        // No replay may use the memory between the copies.
        let _turn = staged.is_shared().then(|| backend.turn_of_peers());
        let timing = self.timing(&staged.all(), Piece::host_function);
        for copy in staged.before(staging) {
            // SAFETY: the argument has as many bytes and is borrowed; staging memory has room, and is no buffer's.
            unsafe { backend.copy(self.id(), copy.from, copy.to, copy.bytes) }?;
        }
        backend.call_host(self.id(), call, &staged.of_call(staging))?;
        for copy in staged.after(staging) {
            // SAFETY: the argument has as many bytes and is borrowed mutably; staging memory has them, and is no buffer's.
            unsafe { backend.copy(self.id(), copy.from, copy.to, copy.bytes) }?;
        }
        timing.end();
        Ok(())
    }

    /// Records a function with its copies, and with staging memory of its own: replays of several graphs may run side by side.
    fn record_staged<F: FnMut() + Send + 'static>(
        &self,
        staged: &mut Staged,
        call: impl FnOnce(Place) -> F,
    ) -> Result<(), Error> {
        let memory = allocate(self, staged.bytes())?;
        let (staging, owner) = (memory.place(), memory.allocation());
        let call = Arc::new(HostCall::new(self.device().host_panics(), call(staging)));
        let mut owners = staged.take_owners();
        owners.extend(owner.map(|memory| Arc::clone(memory) as Arc<dyn Owner>));
        let called = Operation {
            task: Task::Host(call),
            accesses: staged.of_call(staging),
            order: Order::Memory,
            after: Vec::new(),
            _owners: owners,
        };
        self.record_call(|draft| {
            for copy in staged.before(staging) {
                draft.push(copy.recorded(owner));
            }
            let mut last = draft.push(called);
            for copy in staged.after(staging) {
                last = draft.push(copy.recorded(owner));
            }
            Ok(last)
        })
    }
}
