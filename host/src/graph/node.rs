use std::fmt;
use std::marker::PhantomData;

/// An operation of a graph: of a kernel `K`, which [`Graph::update`](crate::Graph::update) gives other arguments, or of
/// something else.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// # let mut buffer = stream.alloc_zeroed::<f32>(3)?;
/// let mut builder = gridwright::graph::GraphBuilder::new(&stream);
/// let filled = builder.fill(&mut buffer, 1.0)?;
/// let told = builder.host_unordered(|| println!("filled"));
/// builder.after(told, filled)?;
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaGraphNode_t`.
pub struct Node<K = ()> {
    pub(super) graph: u64,
    pub(super) number: usize,
    _kernel: PhantomData<fn() -> K>,
}

impl<K> Node<K> {
    pub(super) fn new(graph: u64, number: usize) -> Self {
        Self { graph, number, _kernel: PhantomData }
    }
}

impl<K> Clone for Node<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Node<K> {}

impl<K> fmt::Debug for Node<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("number", &self.number).finish_non_exhaustive()
    }
}
