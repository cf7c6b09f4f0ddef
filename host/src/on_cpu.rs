//! Functions of the program that work on a CPU device's memory.

use std::sync::Arc;

use gridwright_cpu::Workers;

use crate::accesses::Accesses;
use crate::cpu_arguments::{CpuDestination, Uses};
use crate::profile::Piece;
use crate::submission::{HostCall, Operation, Order, Task, call_host_function};
use crate::{CpuArguments, Error, Stream};

impl Stream {
    /// Calls a function of the program on a CPU device's memory, in the order of its work, with the device's threads: what a CPU does
    /// otherwise than a GPU, beside kernels for GPUs. `&buffer` comes as a slice, `&mut buffer` as a mutable one. In a graph it
    /// is called in each replay; otherwise once, before this returns.
    ///
    /// The function can't use the device: each call of a stream or a graph in it is [`Error::InHostFunction`]. A panic of it is
    /// [`Error::HostPanic`] of the next call that synchronises.
    ///
    /// # Errors
    /// [`Error::NotTheCpu`]; [`Error::ForeignBuffer`]; in a capture also [`Error::NotForGraphs`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3, 1, 2])?;
    /// let mut y = stream.alloc_zeroed::<i32>(3)?;
    /// stream.on_cpu((&x, &mut y), |_, (x, y)| {
    ///     y.copy_from_slice(x);
    ///     y.sort_unstable();
    /// })?;
    /// assert_eq!(stream.download(&y)?, [1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// None: the CPU is no device there.
    pub fn on_cpu<A: CpuArguments>(
        &self,
        arguments: A,
        mut function: impl FnMut(&Workers, A::Views<'_>) + Send + 'static,
    ) -> Result<(), Error> {
        const CALL: &str = "on_cpu";
        let Some(workers) = self.device().backend().workers() else {
            return Err(Error::NotTheCpu { call: CALL, device: self.device().name().into() });
        };
        self.on_memory(CALL, arguments, move |views: A::Views<'_>| function(&workers, views))
    }

    /// Calls a function on the memory of a CPU device, before this returns unless it is recorded.
    pub(crate) fn on_memory<A: CpuArguments>(
        &self,
        call: &'static str,
        arguments: A,
        mut function: impl FnMut(A::Views<'_>) + Send + 'static,
    ) -> Result<(), Error> {
        let is_recorded = self.is_recorded(call)?;
        let mut accesses = if is_recorded { Accesses::of_graph() } else { Accesses::new() };
        let raw = arguments.pass(&mut CpuDestination::new(self, call, Uses::OfMemory(&mut accesses)))?;
        let mut call = move || {
            // SAFETY: the arguments are borrowed until this call ends, or a graph keeps their memory. They are in `accesses`, so that others'
            // work on them is before or after the function, and no two of them overlap where one is mutable, as the borrows say.
            function(unsafe { A::views(&raw, std::ptr::null_mut()) });
        };
        if is_recorded {
            let call = HostCall::new(self.device().host_panics(), call);
            return self.record_call(|draft| {
                Ok(draft.push(Operation {
                    task: Task::Host(Arc::new(call)),
                    accesses: accesses.as_slice().into(),
                    order: Order::Memory,
                    after: Vec::new(),
                    _owners: accesses.into_owners(),
                }))
            });
        }
        let timing = self.timing(accesses.as_slice(), Piece::host_function);
        let mut ran = Ok(());
        let backend = self.device().backend();
        let (uses, is_shared) = (accesses.as_slice(), accesses.is_shared());
        backend.call_in_turn(self.id(), uses, is_shared, &mut || ran = call_host_function(&mut call));
        timing.end();
        if let Err(message) = ran {
            self.device().host_panics().add(message);
        }
        Ok(())
    }

    /// Calls a function on the memory of a CPU device in the order of its work.
    pub(crate) fn call_on_memory<A: CpuArguments>(
        &self,
        call: &'static str,
        arguments: A,
        mut function: impl FnMut(A::Views<'_>) + Send + 'static,
    ) -> Result<(), Error> {
        let mut accesses = Accesses::new();
        let raw = arguments.pass(&mut CpuDestination::new(self, call, Uses::OfMemory(&mut accesses)))?;
        let call = HostCall::new(self.device().host_panics(), move || {
            // SAFETY: others' work on the memory, and its end, are before or after the function, as it is in `accesses`. No two of the arguments
            // overlap where one is mutable, as the borrows said.
            function(unsafe { A::views(&raw, std::ptr::null_mut()) });
        });
        let backend = self.device().backend();
        let timing = self.timing(accesses.as_slice(), Piece::host_function);
        let turn = accesses.is_shared().then(|| backend.turn_of_peers());
        backend.call_host(self.id(), Arc::new(call), accesses.as_slice())?;
        drop(turn);
        timing.end();
        Ok(())
    }

    /// Calls a function as [`on_cpu`](Self::on_cpu) does, behind the stream's work, and gives what it gives.
    ///
    /// # Errors
    /// Those of [`on_cpu`](Self::on_cpu) and of [`synchronize`](Self::synchronize); [`Error::HostPanic`] if the function panics. A capture is
    /// [broken](Error::CaptureBroken).
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let x = stream.upload(&[3, 1, 2])?;
    /// assert_eq!(stream.value_on_cpu(&x, |_, x| x.iter().sum::<i32>())?, 6);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// None: the CPU is no device there.
    pub fn value_on_cpu<A: CpuArguments, R>(
        &self,
        arguments: A,
        function: impl FnOnce(&Workers, A::Views<'_>) -> R,
    ) -> Result<R, Error> {
        const CALL: &str = "value_on_cpu";
        let backend = self.device().backend();
        let Some(workers) = backend.workers() else {
            return Err(Error::NotTheCpu { call: CALL, device: self.device().name().into() });
        };
        self.forbid_capture(CALL)?;
        let mut accesses = Accesses::new();
        let raw = arguments.pass(&mut CpuDestination::new(self, CALL, Uses::OfMemory(&mut accesses)))?;
        backend.synchronize(self.id())?;
        self.device().host_panics().report()?;
        let timing = self.timing(accesses.as_slice(), Piece::host_function);
        let mut function = Some(function);
        let mut ran = Err(String::new());
        let mut call = || {
            if let Some(function) = function.take() {
                // SAFETY: the arguments are borrowed until this call ends. They are in `accesses`, so that no replay has them meanwhile.
                let views = unsafe { A::views(&raw, std::ptr::null_mut()) };
                ran = call_host_function(|| function(&workers, views));
            }
        };
        backend.call_in_turn(self.id(), accesses.as_slice(), accesses.is_shared(), &mut call);
        timing.end();
        ran.map_err(|message| Error::HostPanic { message, others: 0 })
    }
}
