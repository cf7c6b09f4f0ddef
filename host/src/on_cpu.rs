//! Functions of the program that work on a CPU device's memory.

use std::slice;
use std::sync::Arc;

use gridwright_core::KernelArg;
use gridwright_cpu::Workers;

use crate::accesses::Accesses;
use crate::profile::Piece;
use crate::submission::{HostCall, Operation, Order, Task, call_host_function};
use crate::transfer::Region;
use crate::{Buffer, BufferSlice, BufferSliceMut, Error, ReadFrom, Stream, WriteTo};

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
        let backend = self.device().backend();
        let Some(workers) = backend.workers() else {
            return Err(Error::NotTheCpu { call: CALL, device: self.device().name().into() });
        };
        let is_recorded = self.is_recorded(CALL)?;
        let mut accesses = if is_recorded { Accesses::of_graph() } else { Accesses::new() };
        let raw = arguments.pass(&mut CpuDestination { stream: self, accesses: &mut accesses })?;
        let mut call = move || {
            // SAFETY: the arguments are borrowed until this call ends, or a graph keeps their memory. They are in `accesses`, so that others'
            // work on them is before or after the function, and no two of them overlap where one is mutable, as the borrows say.
            let views = unsafe { A::views(&raw) };
            function(&workers, views);
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
        backend.call_in_turn(&mut || ran = call_host_function(&mut call), accesses.is_shared());
        timing.end();
        if let Err(message) = ran {
            self.device().host_panics().add(message);
        }
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
        let raw = arguments.pass(&mut CpuDestination { stream: self, accesses: &mut accesses })?;
        backend.synchronize(self.id())?;
        self.device().host_panics().report()?;
        let timing = self.timing(accesses.as_slice(), Piece::host_function);
        let mut function = Some(function);
        let mut ran = Err(String::new());
        let mut call = || {
            if let Some(function) = function.take() {
                // SAFETY: the arguments are borrowed until this call ends, and are in `accesses`, as in `on_cpu`.
                ran = call_host_function(|| function(&workers, unsafe { A::views(&raw) }));
            }
        };
        backend.call_in_turn(&mut call, accesses.is_shared());
        timing.end();
        ran.map_err(|message| Error::HostPanic { message, others: 0 })
    }
}

/// Where arguments go: the stream's device, and the uses of memory so far.
#[derive(Debug)]
pub struct CpuDestination<'d> {
    stream: &'d Stream,
    accesses: &'d mut Accesses,
}

impl CpuDestination<'_> {
    pub(crate) fn slice<T>(&mut self, region: &Region<'_>) -> Result<RawElements<T>, Error> {
        const PLACE: &str = "on_cpu";
        let device = self.stream.device();
        if !device.is(region.device) {
            return Err(Error::ForeignBuffer {
                place: PLACE.into(),
                device: device.identity(),
                buffer_device: region.device.identity(),
            });
        }
        self.accesses.add(region, || PLACE.into())?;
        Ok(RawElements { first: region.place.pointer.cast().as_ptr(), len: region.len })
    }
}

/// Elements as they lie in memory.
#[derive(Debug)]
pub struct RawElements<T> {
    first: *mut T,
    len: usize,
}

// SAFETY: an address and a length; who makes a slice of them answers for it.
unsafe impl<T: Send + Sync> Send for RawElements<T> {}

impl<T: KernelArg> RawElements<T> {
    /// # Safety
    /// The memory is there for `'v`, and nobody writes it meanwhile.
    pub(crate) unsafe fn read<'v>(&self) -> &'v [T] {
        // SAFETY: there are as many elements, which are values of `T` whatever their bytes; the caller says that nobody writes them.
        unsafe { slice::from_raw_parts(self.first, self.len) }
    }

    /// # Safety
    /// The memory is there for `'v`, and nobody else uses it meanwhile.
    pub(crate) unsafe fn write<'v>(&self) -> &'v mut [T] {
        // SAFETY: there are as many elements, which are values of `T` whatever their bytes; the caller says that they are its own.
        unsafe { slice::from_raw_parts_mut(self.first, self.len) }
    }
}

/// An argument of [`Stream::on_cpu`]: memory, or a tuple of arguments.
///
/// ```
/// use gridwright::launch::CpuArguments;
/// use gridwright::{Error, Stream};
///
/// /// Does nothing with the arguments, in the stream's order.
/// fn nothing<A: CpuArguments>(stream: &Stream, arguments: A) -> Result<(), Error> {
///     stream.on_cpu(arguments, |_, _| ())
/// }
/// ```
///
/// # Safety
/// `pass` returns memory that the argument borrows, exclusively where its view is mutable, and adds it to the destination's accesses.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory for a function on the CPU",
    note = "`&buffer` and `&mut buffer` are, parts of buffers, and tuples of them; the function captures values: `move |_, x| …`"
)]
pub unsafe trait CpuArguments {
    /// The memory, without its lifetime.
    #[doc(hidden)]
    type Raw: Send + 'static;
    /// What the function gets.
    type Views<'v>;

    #[doc(hidden)]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<Self::Raw, Error>;

    /// # Safety
    /// The memory is there for `'v`, nobody else writes it meanwhile, and nobody else uses it if the view is mutable.
    #[doc(hidden)]
    unsafe fn views<'v>(raw: &Self::Raw) -> Self::Views<'v>;
}

macro_rules! memory {
    ($($kind:ty: $region:ident => $view:ty, $make:ident;)*) => {$(
        // SAFETY: the argument borrows the region, which `slice` adds to the accesses.
        unsafe impl<T: KernelArg> CpuArguments for $kind {
            type Raw = RawElements<T>;
            type Views<'v> = $view;

            #[allow(unused_mut)] // of those that only read
            fn pass(mut self, to: &mut CpuDestination<'_>) -> Result<RawElements<T>, Error> {
                to.slice(&self.$region())
            }

            unsafe fn views<'v>(raw: &RawElements<T>) -> $view {
                // SAFETY: the caller says that the elements are there, and whose they are.
                unsafe { raw.$make() }
            }
        }
    )*};
}

memory! {
    &Buffer<T>: region => &'v [T], read;
    BufferSlice<'_, T>: region => &'v [T], read;
    &BufferSlice<'_, T>: region => &'v [T], read;
    &mut Buffer<T>: region_mut => &'v mut [T], write;
    BufferSliceMut<'_, T>: region_mut => &'v mut [T], write;
    &mut BufferSliceMut<'_, T>: region_mut => &'v mut [T], write;
}

macro_rules! tuple {
    ($($argument:ident $i:tt),*) => {
        // SAFETY: each element's own promise.
        unsafe impl<$($argument: CpuArguments),*> CpuArguments for ($($argument,)*) {
            type Raw = ($($argument::Raw,)*);
            type Views<'v> = ($($argument::Views<'v>,)*);

            #[allow(unused_variables, clippy::unused_unit)] // of no elements
            fn pass(self, to: &mut CpuDestination<'_>) -> Result<Self::Raw, Error> {
                Ok(($(self.$i.pass(to)?,)*))
            }

            #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // of no elements
            unsafe fn views<'v>(raw: &Self::Raw) -> Self::Views<'v> {
                // SAFETY: the caller says it of all elements.
                unsafe { ($($argument::views(&raw.$i),)*) }
            }
        }
    };
}

gridwright_core::for_tuples!(12, tuple);
