use std::any::TypeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gridwright_core::{LaunchConfig, Sets, Signature};

use super::draft::Draft;
use super::node::Node;
use crate::launch::Prepared;
use crate::profile::Piece;
use crate::submission::{GraphId, Operation, Task, Work, forbid};
use crate::{Arguments, Device, Error, Kernel, Stream, UnsafeKernel};

/// Work that was recorded once, by [`Stream::capture`] or a [`GraphBuilder`](crate::GraphBuilder), and is replayed by
/// one call.
///
/// A graph shares the memory that it uses with its buffers: each may be dropped before the other, and between replays
/// buffers are uploaded, downloaded and launched with as ever. A replay is a use of all that memory: it waits for what was
/// submitted before and uses the same, and what comes later waits for it, on whatever stream. Replays of one graph run one
/// after another.
///
/// On the CPU the operations of a replay run one after another.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn halve(t: Thread, mut x: PerThread<[f32]>) {
///     if let Some(x) = x.get_mut(t) {
///         *x *= 0.5;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let kernel = halve::load(&device)?;
/// let mut x = stream.upload(&[8.0, 16.0])?;
/// let graph = stream.capture(|stream| {
///     for _ in 0..3 {
///         kernel.launch(stream, LaunchConfig::threads(2), (&mut x,))?;
///     }
///     Ok(())
/// })?;
/// graph.launch(&stream)?;
/// assert_eq!(stream.download(&x)?, [1.0, 2.0]);
/// stream.copy_from_slice(&mut x, &[80.0, 40.0])?;
/// graph.launch(&stream)?;
/// assert_eq!(stream.download(&x)?, [10.0, 5.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaGraphExec_t`. Replays are ordered by the memory that they use, as launches are.
#[derive(Debug)]
pub struct Graph {
    device: Device,
    id: GraphId,
    /// The number by which nodes know their graph.
    number: u64,
    /// Shared with replays that aren't done.
    work: Arc<Work>,
}

impl Graph {
    pub(super) fn new_number() -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn of_draft(draft: Draft) -> Result<Self, Error> {
        Self::of_numbered(draft, Self::new_number())
    }

    pub(super) fn of_numbered(draft: Draft, number: u64) -> Result<Self, Error> {
        forbid("build")?;
        let Draft { device, mut work } = draft;
        work.merge_accesses();
        let id = device.backend().make_graph(&work)?;
        Ok(Self { device, id, number, work: Arc::new(work) })
    }

    /// Submits all of the graph to run after the work that the stream has.
    ///
    /// # Errors
    /// [`Error::ForeignStream`] for a stream of another device, [`Error::DeviceLost`]. A kernel's panic, and one of a host
    /// function, are reported by the next call that synchronises, and the other operations run all the same.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut x = stream.alloc_zeroed::<f32>(3)?;
    /// let graph = stream.capture(|stream| stream.fill(&mut x, 1.0))?;
    /// graph.launch(&stream)?;
    /// assert_eq!(stream.download(&x)?, [1.0; 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphLaunch`.
    pub fn launch(&self, stream: &Stream) -> Result<(), Error> {
        if !self.device.is(stream.device()) {
            return Err(Error::ForeignStream {
                place: "graph".into(),
                what: "stream",
                device: self.device.identity(),
                other: stream.device().identity(),
            });
        }
        stream.forbid_capture("Graph::launch")?;
        let timing = stream.timing(&self.work.accesses, || self.piece());
        // SAFETY: the backend made the graph of this work. Each operation was checked when it was recorded, and has the
        // memory that it uses, which the backend keeps others from: no borrow does.
        unsafe { self.device.backend().replay(stream.id(), self.id, &self.work) }?;
        timing.end();
        Ok(())
    }

    pub(crate) fn piece(&self) -> Piece {
        Piece::graph(self.number, self.work.operations.len())
    }

    /// The launches of a kernel, in the order in which they were recorded.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn halve(t: Thread, mut x: PerThread<[f32]>) { if let Some(x) = x.get_mut(t) { *x *= 0.5; } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let kernel = halve::load(&device)?;
    /// # let (mut x, mut y) = (stream.upload(&[1.0, 2.0])?, stream.upload(&[3.0, 4.0])?);
    /// let config = LaunchConfig::threads(2);
    /// let mut graph = stream.capture(|stream| kernel.launch(stream, config, (&mut x,)))?;
    /// let node = graph.nodes(&kernel)[0];
    /// graph.update(node, config, (&mut y,))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphGetNodes`, for the nodes of one kernel.
    pub fn nodes<K: Signature>(&self, _: &Kernel<K>) -> Vec<Node<K>> {
        self.launches_of::<K>()
    }

    /// The launches of an unsafe kernel, in the order in which they were recorded.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # unsafe fn nothing(_t: Thread) {}
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let kernel = nothing::load(&device)?;
    /// let graph = stream.capture(|_| Ok(()))?;
    /// assert!(graph.nodes_unsafe(&kernel).is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphGetNodes`, for the nodes of one kernel.
    pub fn nodes_unsafe<K: Signature>(&self, _: &UnsafeKernel<K>) -> Vec<Node<K>> {
        self.launches_of::<K>()
    }

    fn launches_of<K: 'static>(&self) -> Vec<Node<K>> {
        let is_of = |operation: &Arc<Operation>| match &operation.task {
            Task::Launch(kernel) => (kernel.code.kernel)() == TypeId::of::<K>(),
            _ => false,
        };
        let operations = self.work.operations.iter().enumerate();
        operations.filter(|(_, operation)| is_of(operation)).map(|(i, _)| Node::new(self.number, i)).collect()
    }

    /// Gives a launch other sizes and arguments, of the same types and with the same checks as the first time. Replays
    /// that were submitted before have the old ones.
    ///
    /// Where other buffers change what must come after what, the graph is made ready anew, which takes longer.
    ///
    /// # Errors
    /// Those of [`Kernel::launch`], [`Error::InvalidNode`] for a node of another graph, and [`Error::NotForGraphs`]. The
    /// graph is then as it was.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn axpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y += a * x[t.index()];
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let kernel = axpy::load(&device)?;
    /// let config = LaunchConfig::threads(2);
    /// let (x, longer) = (stream.upload(&[1.0, 2.0])?, stream.upload(&[1.0, 2.0, 3.0])?);
    /// let mut y = stream.alloc_zeroed(2)?;
    /// let mut graph = stream.capture(|stream| kernel.launch(stream, config, (1.0, &x, &mut y)))?;
    /// let node = graph.nodes(&kernel)[0];
    /// graph.update(node, config, (5.0, &x, &mut y))?;
    /// assert!(graph.update(node, config, (5.0, &longer, &mut y)).is_err());
    /// graph.launch(&stream)?;
    /// assert_eq!(stream.download(&y)?, [5.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphExecKernelNodeSetParams`. The kernel stays.
    pub fn update<K, W, A>(
        &mut self,
        node: Node<K>,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        K: Signature,
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        const { assert!(Prepared::<K>::is_safe(), "a launch of an `unsafe fn` is updated by `update_unsafe`") };
        // SAFETY: the kernel is safe.
        unsafe { self.update_launch(node, config, arguments) }
    }

    /// Gives a launch of an unsafe kernel other sizes and arguments, as [`update`](Self::update).
    ///
    /// # Safety
    /// As for [`UnsafeKernel::launch`], in each replay.
    ///
    /// # Errors
    /// Those of [`update`](Self::update).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # unsafe fn double(t: Thread, x: *mut f32, n: usize) { if t.col() < n { unsafe { *x.add(t.col()) *= 2.0 } } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// # let kernel = double::load(&device)?;
    /// # let config = LaunchConfig::threads(3);
    /// // SAFETY: the buffer has as many elements.
    /// let mut graph = stream.capture(|stream| unsafe { kernel.launch(stream, config, (&mut x, 3)) })?;
    /// // SAFETY: the buffer has more than two elements.
    /// unsafe { graph.update_unsafe(graph.nodes_unsafe(&kernel)[0], config, (&mut x, 2))? };
    /// graph.launch(&stream)?;
    /// assert_eq!(stream.download(&x)?, [2.0, 4.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphExecKernelNodeSetParams`. The kernel stays.
    pub unsafe fn update_unsafe<K, W, A>(
        &mut self,
        node: Node<K>,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        K: Signature,
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the caller promises for each replay what the kernel's author asks, as `UnsafeKernel::launch` says.
        unsafe { self.update_launch(node, config, arguments) }
    }

    /// # Safety
    /// As for `Prepared::record`.
    unsafe fn update_launch<K, W, A>(
        &mut self,
        node: Node<K>,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        K: Signature,
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        forbid("update")?;
        let foreign = Error::InvalidNode { reason: "it is of another graph" };
        if node.graph != self.number {
            return Err(foreign);
        }
        let known = self.work.operations.get(node.number).ok_or(foreign)?;
        let Task::Launch(kernel) = &known.task else {
            return Err(Error::InvalidNode { reason: "it isn't a launch" });
        };
        let prepared = Prepared::<K>::of(self.device.clone(), Arc::clone(&kernel.loaded));
        // SAFETY: if the kernel is unsafe, the caller promises for each replay what its author asks.
        let mut updated = unsafe { prepared.record(&self.device, config, arguments) }?;
        updated.after.clone_from(&known.after);
        let mut updated = Arc::new(updated);
        self.exchange(node.number, &mut updated);
        if let Err(error) = self.device.backend().update_graph(self.id, &self.work, node.number) {
            self.exchange(node.number, &mut updated);
            return Err(error);
        }
        Ok(())
    }

    fn exchange(&mut self, number: usize, operation: &mut Arc<Operation>) {
        let work = Arc::make_mut(&mut self.work);
        if let Some(known) = work.operations.get_mut(number) {
            std::mem::swap(known, operation);
        }
        work.merge_accesses();
    }

    /// The device that the graph runs on.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// println!("on {}", stream.capture(|_| Ok(()))?.device().name());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        let id = self.id;
        self.device.outside_host_calls(move |device| device.backend().drop_graph(id));
    }
}
