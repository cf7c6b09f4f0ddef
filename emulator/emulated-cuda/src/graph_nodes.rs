//! What graphs are made of here.

use std::sync::Arc;

use crate::abi::In;
use crate::context::{Context, Cuda};
use crate::copy::Transfer;
use crate::error::Error;
use crate::graph_memory::GraphMemory;
use crate::launch::Launch;
use crate::process::process;
use crate::registry::{Handle, Registry};
use crate::shared::graph::{self, Graphs, NodeOf, Run};

pub(crate) type Graph = graph::Graph<Cuda>;
pub(crate) type Node = graph::Node<Cuda>;
pub(crate) type OfEvent = graph::OfEvent<Cuda>;
pub(crate) type Task = graph::Task<Cuda>;

pub(crate) static GRAPHS: Registry<Graph> = Registry::new(9);
pub(crate) static NODES: Registry<NodeOf> = Registry::new(10);

impl Graphs for Cuda {
    type Launch = Launch;
    type Copy = Transfer;
    type OwnMemory = GraphMemory;

    fn graphs() -> &'static Registry<Graph> {
        &GRAPHS
    }

    fn nodes() -> &'static Registry<NodeOf> {
        &NODES
    }

    fn executes() -> bool {
        process().is_ok_and(|process| process.settings.execute)
    }
}

impl Run for Launch {
    fn run(&self) -> Result<(), Error> {
        self.execute(process()?)
    }
}

impl graph::Launch<Cuda> for Launch {
    fn is_of(&self, context: &Context) -> bool {
        self.is_of(context)
    }
}

impl Run for Transfer {
    fn run(&self) -> Result<(), Error> {
        // SAFETY: the program keeps its memory until the graph has run, as `cuda.h` demands.
        unsafe { self.copy(process()?, None) }
    }
}

/// The graph of a handle.
pub(crate) fn find(graph: Handle) -> Result<Arc<Graph>, Error> {
    graph::find(graph)
}

/// Edges with data order kernels in the middle of others, which isn't done here.
pub(crate) fn refuse_edge_data(edges: In<u64>, count: usize) -> Result<(), Error> {
    if edges.is_null() {
        return Ok(());
    }
    for index in 0..count {
        if edges.at(index)? != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
    }
    Ok(())
}
