use std::cell::Cell;
use std::marker::PhantomData;

use gridwright::graph::Graph;
use gridwright::launch::{Arguments, CpuArguments, Sets, Signature, UnsafeKernel};
use gridwright::prelude::*;

use crate::cpu::{Bound, Workers};
use crate::input::Ready;
use crate::source::Fused;
use crate::workspace::Memory;
use crate::{Error, Standard, Workspace};

/// The algorithms on a stream, by the library's own instances and temporary memory of the stream.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::operators::Add;
///
/// # fn main() -> Result<(), primitives::Error> {
/// let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1_u32, 2, 3])?;
/// assert_eq!(primitives::on(&stream).reduce(&x, 0, Add)?, 6);
/// # Ok(())
/// # }
/// ```
pub fn on(stream: &Stream) -> Primitives<'_> {
    Primitives { stream, memory: Memory::Stream, never_looks_back: false, _kernels: PhantomData }
}

/// Records calls in a graph, as [`Stream::capture`] does, with this crate's errors.
///
/// With a [`Workspace`] the graph's temporary memory is that one's; otherwise the graph keeps its own.
///
/// # Errors
/// Those of the calls, and of [`Stream::capture`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
///
/// # fn main() -> Result<(), primitives::Error> {
/// let stream = Device::cpu()?.stream()?;
/// let mut keys = stream.upload(&[3_u32, 1, 2])?;
/// let graph = primitives::capture(&stream, |stream| primitives::on(stream).sort(&mut keys))?;
/// assert_eq!(stream.download(&keys)?, [3, 1, 2]); // nothing has run
/// graph.launch(&stream)?;
/// assert_eq!(stream.download(&keys)?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaStreamBeginCapture` and `cudaStreamEndCapture` around calls of CUB.
pub fn capture(stream: &Stream, calls: impl FnOnce(&Stream) -> Result<(), Error>) -> Result<Graph, Error> {
    let mut own = None;
    let captured = stream.capture(|stream| match calls(stream) {
        Ok(()) => Ok(()),
        Err(Error::Gridwright(error)) => Err(error),
        Err(error) => {
            own = Some(error);
            // Nobody sees it: the capture ends by any.
            Err(gridwright::Error::CaptureBroken { call: "capture" })
        }
    });
    match own {
        Some(error) => Err(error),
        None => Ok(captured?),
    }
}

/// The algorithms on a stream, each a method. They are asynchronous in stream order, but for those that give a value, which wait for it.
///
/// `K` is a type that stands for a crate's instances of the kernels: [`Standard`] has the library's own, for numbers and
/// [operators](crate::operators) that most need. Others are written by `instance!`, for a type of the user's; GPUs need them, and the CPU runs
/// without their code:
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::operators::Add;
/// use gridwright_primitives::source::{Map, Slice};
///
/// operator! { pub struct Square = |x: f32| -> f32 { x * x }; }
///
/// /// This crate's instances.
/// pub struct Mine;
///
/// instance! { impl primitives::Reduce<Map<Slice<f32>, Square>, Add> for Mine; }
///
/// # fn main() -> Result<(), primitives::Error> {
/// let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0, 3.0])?;
/// let p = primitives::on(&stream).with_kernels::<Mine>();
/// assert_eq!(p.reduce((&x).map(Square), 0.0, Add)?, 14.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Primitives<'s, K = Standard> {
    pub(crate) stream: &'s Stream,
    pub(crate) memory: Memory<'s>,
    never_looks_back: bool,
    _kernels: PhantomData<fn() -> K>,
}

impl<K> Clone for Primitives<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Primitives<'_, K> {}

impl<'s> Primitives<'s> {
    /// Calls that say how many bytes they need, and don't run.
    pub(crate) fn measuring(stream: &'s Stream, most: &'s Cell<usize>) -> Self {
        Self { stream, memory: Memory::Measured(most), never_looks_back: false, _kernels: PhantomData }
    }
}

impl<'s, K> Primitives<'s, K> {
    /// The algorithms by a crate's own instances.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// struct Mine;
    /// let p = primitives::on(&stream).with_kernels::<Mine>();
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn with_kernels<L>(self) -> Primitives<'s, L> {
        let Self { stream, memory, never_looks_back, .. } = self;
        Primitives { stream, memory, never_looks_back, _kernels: PhantomData }
    }

    /// The algorithms with temporary memory that is given: nothing is allocated.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::{Error, Workspace};
    /// # let stream = Device::cpu()?.stream()?;
    /// # let (x, places) = (stream.upload(&[1_u32, 2])?, stream.upload(&[1_u32, 0])?);
    /// # let mut y = stream.alloc_zeroed(2)?;
    /// let workspace = Workspace::new(&stream, 0)?;
    /// let error = primitives::on(&stream).in_workspace(&workspace).scatter(&x, &places, &mut y).unwrap_err();
    /// assert!(matches!(error, Error::Workspace { needed: 64.., given: 0 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn in_workspace<'t>(self, workspace: &'t Workspace) -> Primitives<'t, K>
    where
        's: 't,
    {
        let Self { stream, never_looks_back, .. } = self;
        Primitives { stream, memory: Memory::Given(workspace), never_looks_back, _kernels: PhantomData }
    }

    /// The stream.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// assert_eq!(primitives::on(&stream).stream().device().name(), stream.device().name());
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn stream(&self) -> &'s Stream {
        self.stream
    }

    /// Whether the device is the CPU, for which algorithms have code of their own.
    pub(crate) fn is_cpu(&self) -> bool {
        self.stream.device().kind() == gridwright::DeviceKind::Cpu
    }

    /// Calls a function with the CPU's threads, an input, and what else it works on; not if calls are only measured.
    pub(crate) fn on_cpu<S: Fused, A: CpuArguments>(
        &self,
        Ready { source, a, b, c, .. }: Ready<'_, S>,
        arguments: A,
        mut function: impl FnMut(Workers, Bound<'_, S>, A::Views<'_>) + Send + 'static,
    ) -> Result<(), Error> {
        if self.is_measured() {
            return Ok(());
        }
        self.stream.on_cpu((a, b, c, arguments), move |workers, (a, b, c, views)| {
            function(*workers, Bound { source, a, b, c }, views);
        })?;
        Ok(())
    }

    /// Launches a kernel of this crate.
    ///
    /// # Safety
    /// As for [`UnsafeKernel::launch`].
    pub(crate) unsafe fn launch<Q, W, A>(&self, config: LaunchConfig<W>, arguments: A) -> Result<(), Error>
    where
        Q: Signature,
        W: Sets<Q::Sizes>,
        A: Arguments<Q::Params>,
    {
        let kernel = UnsafeKernel::<Q>::load(self.stream.device())?;
        // SAFETY: the caller promises the same.
        unsafe { kernel.launch(self.stream, config, arguments)? };
        Ok(())
    }

    /// The algorithms that don't need groups to go on while others wait for them, for tests of these. NVIDIA's kernels look back all the same,
    /// and find what they need at once.
    #[doc(hidden)]
    #[must_use]
    pub fn without_look_back(self) -> Self {
        Self { never_looks_back: true, ..self }
    }

    /// Whether groups may wait for groups that have begun: on GPUs of NVIDIA these go on.
    pub(crate) fn looks_back(&self) -> bool {
        let kind = self.stream.device().kind();
        !self.never_looks_back
            && matches!(kind, gridwright::DeviceKind::Cuda | gridwright::DeviceKind::Emulator)
    }

    /// Whether calls don't run, but say how many bytes they need.
    pub(crate) fn is_measured(&self) -> bool {
        matches!(self.memory, Memory::Measured(_))
    }

    /// The element of a buffer of one, when the stream has come there.
    pub(crate) fn value<T: KernelArg>(&self, of: &Buffer<T>) -> Result<T, Error> {
        let mut value = [T::zeroed(); 1];
        self.stream.copy_to_slice(of, &mut value)?;
        let [value] = value;
        Ok(value)
    }
}
