use std::sync::Arc;

use gridwright_core::{KernelArg, LaunchConfig, Sets, Signature};

use super::draft::Draft;
use super::node::Node;
use crate::submission::{Contents, HostCall, Order};
use crate::{Arguments, Buffer, Error, Graph, Kernel, ReadFrom, Stream, UnsafeKernel, WriteTo};

/// A graph that is built by hand, operation by operation.
///
/// Each is checked when it is added, as if it ran. Operations that use the same memory run in the order in which they were
/// added, if one of the two writes; others side by side, where the device does that. [`after`](Self::after) orders what
/// memory doesn't.
///
/// ```
/// use gridwright::graph::GraphBuilder;
/// use gridwright::prelude::*;
///
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn axpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
///     if let Some(y) = y.get_mut(t) {
///         *y += a * x[t.index()];
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let kernel = axpy::load(&device)?;
/// let x = stream.upload(&[1.0, 2.0, 3.0])?;
/// let mut y = stream.alloc_zeroed(3)?;
///
/// let mut builder = GraphBuilder::new(&stream);
/// builder.fill(&mut y, 10.0)?;
/// let node = builder.launch(&kernel, LaunchConfig::threads(3), (2.0, &x, &mut y))?;
/// let mut graph = builder.build()?;
/// graph.launch(&stream)?;
/// assert_eq!(stream.download(&y)?, [12.0, 14.0, 16.0]);
///
/// graph.update(node, LaunchConfig::threads(3), (-1.0, &x, &mut y))?;
/// graph.launch(&stream)?;
/// assert_eq!(stream.download(&y)?, [9.0, 8.0, 7.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaGraph_t`. Edges follow from the memory that operations use.
#[derive(Debug)]
pub struct GraphBuilder {
    stream: Stream,
    number: u64,
    draft: Draft,
}

impl GraphBuilder {
    /// A graph without operations, for the stream's device. The stream is only the one on which memory is made.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let graph = gridwright::graph::GraphBuilder::new(&stream).build()?;
    /// graph.launch(&stream)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphCreate`.
    pub fn new(stream: &Stream) -> Self {
        Self { stream: stream.clone(), number: Graph::new_number(), draft: Draft::new(stream.device()) }
    }

    /// Adds a launch, with the same arguments and checks as [`Kernel::launch`]. The graph shares the buffers, and each replay has
    /// the launch's attributes: clusters, cooperation, preferred memory.
    ///
    /// # Errors
    /// Those of [`Kernel::launch`]; [`Error::NotForGraphs`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn double(t: Thread, mut x: PerThread<[f32]>) { if let Some(x) = x.get_mut(t) { *x *= 2.0; } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// let kernel = double::load(&device)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// let node = builder.launch(&kernel, LaunchConfig::threads(3), (&mut x,))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddKernelNode`.
    pub fn launch<K, W, A>(
        &mut self,
        kernel: &Kernel<K>,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<Node<K>, Error>
    where
        K: Signature,
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the kernel is safe.
        let operation = unsafe { kernel.prepared().record(&self.draft.device, config, arguments) }?;
        self.node(|draft| Ok(draft.push(operation)))
    }

    /// Adds a launch of an unsafe kernel.
    ///
    /// # Safety
    /// As for [`UnsafeKernel::launch`], in each replay.
    ///
    /// # Errors
    /// Those of [`UnsafeKernel::launch`]; [`Error::NotForGraphs`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # unsafe fn double(t: Thread, x: *mut f32, n: usize) { if t.col() < n { unsafe { *x.add(t.col()) *= 2.0 } } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// let kernel = double::load(&device)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// // SAFETY: the buffer has as many elements.
    /// unsafe { builder.launch_unsafe(&kernel, LaunchConfig::threads(3), (&mut x, 3))? };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddKernelNode`.
    pub unsafe fn launch_unsafe<K, W, A>(
        &mut self,
        kernel: &UnsafeKernel<K>,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<Node<K>, Error>
    where
        K: Signature,
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the caller promises for each replay what the kernel's author asks, as `UnsafeKernel::launch` says.
        let operation = unsafe { kernel.prepared().record(&self.draft.device, config, arguments) }?;
        self.node(|draft| Ok(draft.push(operation)))
    }

    /// Adds a copy between memory of the device, as [`Stream::copy`] makes it.
    ///
    /// # Errors
    /// Those of [`Stream::copy`]; [`Error::NotForGraphs`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let from = stream.upload(&[1, 2, 3])?;
    /// # let mut to = stream.alloc_zeroed(3)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// builder.copy(&from, &mut to)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddMemcpyNode` or `cudaGraphAddMemcpyNode1D`, on the device.
    pub fn copy<A, B>(&mut self, from: &A, to: &mut B) -> Result<Node, Error>
    where
        A: ReadFrom,
        B: WriteTo<Element = A::Element>,
    {
        let (from, to) = (from.region(), to.region_mut());
        let bytes = self.stream.check_copy::<A::Element>(&from, &to)?;
        self.node(|draft| draft.copy(&from, &to, bytes))
    }

    /// Adds a fill, as [`Stream::fill`] makes it.
    ///
    /// # Errors
    /// Those of [`Stream::fill`]; [`Error::NotForGraphs`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut buffer = stream.alloc_zeroed::<f32>(3)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// builder.fill(&mut buffer, 7.0)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddMemsetNode`. The value is an element of any type.
    pub fn fill<B: WriteTo>(&mut self, buffer: &mut B, value: B::Element) -> Result<Node, Error> {
        let region = buffer.region_mut();
        self.stream.check(&region, region.len, "fill")?;
        self.node(|draft| draft.fill(&region, bytemuck::bytes_of(&value)))
    }

    /// Adds a copy of these elements, which the graph keeps, to memory of the device.
    ///
    /// # Errors
    /// Those of [`Stream::copy_from_slice`]; [`Error::NotForGraphs`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut buffer = stream.alloc_zeroed::<f32>(3)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// builder.copy_from_slice(&mut buffer, &[1.0, 2.0, 3.0])?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddMemcpyNode1D` from the host. The graph has a copy of the elements.
    pub fn copy_from_slice<B: WriteTo>(
        &mut self,
        buffer: &mut B,
        elements: &[B::Element],
    ) -> Result<Node, Error> {
        let region = buffer.region_mut();
        self.stream.check(&region, elements.len(), "copy_from_slice")?;
        self.node(|draft| draft.write(&region, bytemuck::cast_slice(elements)))
    }

    /// New memory whose bytes are zero at this point of each replay: for what one operation leaves to another. It is the
    /// graph's own once the buffer is dropped.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// let sums = builder.alloc_zeroed::<f32>(100)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc` and `cudaGraphAddMemsetNode`. It is no `cudaGraphAddMemAllocNode`: the memory is there at
    /// once.
    pub fn alloc_zeroed<T: KernelArg>(&mut self, len: usize) -> Result<Buffer<T>, Error> {
        let mut buffer = Buffer::new(&self.stream, len, Contents::Zero)?;
        self.draft.fill(&buffer.region_mut(), &[0].repeat(size_of::<T>()))?;
        Ok(buffer)
    }

    /// Adds a function of the program, which is called in each replay: after all operations that were added before it, and
    /// before all that are added later. As [`Stream::host`] says, it can't use the device.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// let mut replays = 0;
    /// builder.host(move || {
    ///     replays += 1;
    ///     println!("replay {replays}");
    /// });
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddHostNode`, ordered behind all earlier nodes and before all later ones.
    pub fn host(&mut self, function: impl FnMut() + Send + 'static) -> Node {
        self.add_host(function, Order::All)
    }

    /// Adds a function of the program that waits for nothing and that nothing waits for, but what
    /// [`after`](Self::after) says.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// builder.host_unordered(|| println!("begun, or done"));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddHostNode` without dependencies.
    pub fn host_unordered(&mut self, function: impl FnMut() + Send + 'static) -> Node {
        self.add_host(function, Order::Free)
    }

    /// Has an operation run after another one, which was added earlier.
    ///
    /// # Errors
    /// [`Error::InvalidNode`] for a node of another graph, or for one that wasn't added earlier.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut buffer = stream.alloc_zeroed::<f32>(3)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// let filled = builder.fill(&mut buffer, 1.0)?;
    /// let told = builder.host_unordered(|| println!("filled"));
    /// builder.after(told, filled)?;
    /// assert!(builder.after(filled, told).is_err());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphAddDependencies`.
    pub fn after<A, B>(&mut self, later: Node<A>, earlier: Node<B>) -> Result<(), Error> {
        if (later.graph, earlier.graph) != (self.number, self.number) {
            return Err(Error::InvalidNode { reason: "it is of another graph" });
        }
        if later.number <= earlier.number {
            return Err(Error::InvalidNode {
                reason: "an operation runs after those that were added earlier",
            });
        }
        // Nobody else has the operations of a draft.
        if let Some(operation) = self.draft.work.operations.get_mut(later.number).and_then(Arc::get_mut) {
            operation.after.push(earlier.number);
        }
        Ok(())
    }

    /// Makes the graph ready to be launched.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut buffer = stream.alloc_zeroed::<f32>(3)?;
    /// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
    /// builder.fill(&mut buffer, 1.0)?;
    /// let graph = builder.build()?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGraphInstantiate`.
    pub fn build(self) -> Result<Graph, Error> {
        Graph::of_numbered(self.draft, self.number)
    }

    fn add_host(&mut self, function: impl FnMut() + Send + 'static, order: Order) -> Node {
        let call = HostCall::new(self.draft.device.host_panics(), function);
        Node::new(self.number, self.draft.host(Arc::new(call), order))
    }

    fn node<K>(&mut self, add: impl FnOnce(&mut Draft) -> Result<usize, Error>) -> Result<Node<K>, Error> {
        Ok(Node::new(self.number, add(&mut self.draft)?))
    }
}
