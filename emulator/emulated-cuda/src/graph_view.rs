//! What graphs tell of themselves: their nodes and edges.

use std::ffi::c_int;
use std::sync::Arc;

use crate::abi::{In, InOut, Out};
use crate::error::Error;
use crate::graph_nodes::{Graph, NODES, Node, find, refuse_edge_data};
use crate::locks::lock;
use crate::process::process;
use crate::registry::Handle;
use crate::shared::graph::discard;

/// An array of the caller's, and the place that says how long it is.
#[derive(Clone, Copy)]
struct Listed<T> {
    target: Out<T>,
    count: InOut<usize>,
}

impl<T: Copy> Listed<T> {
    /// As many values as there is room for. Where there is no array, how many there are.
    fn put(self, values: &[T], none: T) -> Result<(), Error> {
        if self.target.is_null() {
            return self.count.put_at(0, values.len());
        }
        let room = self.count.at(0)?;
        let target = self.target.array();
        for index in 0..room {
            target.put_at(index, values.get(index).copied().unwrap_or(none))?;
        }
        self.count.put_at(0, room.min(values.len()))
    }
}

/// The graph of a node.
fn graph_of(node: Handle) -> Result<Arc<Graph>, Error> {
    process()?;
    find(NODES.get(node).ok_or(Error::INVALID_HANDLE)?.graph)
}

/// What is found in a graph of the place of a node.
fn with_node<T>(
    node: Handle,
    then: impl FnOnce(&[Node], usize, &Node) -> Result<T, Error>,
) -> Result<T, Error> {
    let graph = graph_of(node)?;
    let nodes = lock(&graph.nodes);
    let place = nodes.iter().position(|found| found.handle == node).ok_or(Error::INVALID_HANDLE)?;
    then(&nodes, place, nodes.get(place).ok_or(Error::INVALID_HANDLE)?)
}

/// Nodes that come right before one.
fn before(node: Handle) -> Result<Vec<Handle>, Error> {
    with_node(node, |nodes, _, node| {
        Ok(node.after.iter().filter_map(|&place| Some(nodes.get(place)?.handle)).collect())
    })
}

/// Nodes that come right behind one.
fn behind(node: Handle) -> Result<Vec<Handle>, Error> {
    with_node(node, |nodes, place, _| {
        Ok(nodes.iter().filter(|other| other.after.contains(&place)).map(|other| other.handle).collect())
    })
}

/// Both ends of each edge.
fn edges(graph: Handle, from: Out<Handle>, to: Out<Handle>, count: InOut<usize>) -> Result<usize, Error> {
    let graph = find(graph)?;
    let nodes = lock(&graph.nodes);
    let of = |node: &Node| -> Vec<(Handle, Handle)> {
        node.after.iter().filter_map(|&place| Some((nodes.get(place)?.handle, node.handle))).collect()
    };
    let (starts, ends): (Vec<_>, Vec<_>) = nodes.iter().flat_map(of).unzip();
    if from.is_null() != to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let room = if from.is_null() { 0 } else { count.at(0)? };
    Listed { target: from, count }.put(&starts, Handle::NULL)?;
    if !to.is_null() {
        count.put_at(0, room)?;
        Listed { target: to, count }.put(&ends, Handle::NULL)?;
    }
    Ok(room)
}

/// Edges have no data.
fn put_no_data(edges: Out<u64>, room: usize) -> Result<(), Error> {
    if !edges.is_null() {
        for index in 0..room {
            edges.array().put_at(index, 0)?;
        }
    }
    Ok(())
}

/// Makes nodes come after others that were added before.
fn order(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) -> Result<(), Error> {
    let graph = find(graph)?;
    let mut nodes = lock(&graph.nodes);
    for index in 0..count {
        let (from, to) = (from.at(index)?, to.at(index)?);
        let place = |handle| nodes.iter().position(|node| node.handle == handle).ok_or(Error::INVALID_VALUE);
        let (from, to) = (place(from)?, place(to)?);
        // A circle, or an order that nodes added before others never have.
        if reaches(&nodes, to, from) {
            return Err(Error::INVALID_VALUE);
        }
        let node = nodes.get_mut(to).ok_or(Error::INVALID_VALUE)?;
        if node.after.contains(&from) {
            return Err(Error::INVALID_VALUE);
        }
        node.after.push(from);
    }
    Ok(())
}

/// Whether one node is another, or comes before it.
fn reaches(nodes: &[Node], first: usize, last: usize) -> bool {
    let mut open = vec![last];
    let mut seen = vec![false; nodes.len()];
    while let Some(place) = open.pop() {
        if place == first {
            return true;
        }
        if let Some(is_seen @ false) = seen.get_mut(place) {
            *is_seen = true;
            open.extend(nodes.get(place).into_iter().flat_map(|node| node.after.iter().copied()));
        }
    }
    false
}

/// Takes edges away.
fn unorder(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) -> Result<(), Error> {
    let graph = find(graph)?;
    let mut nodes = lock(&graph.nodes);
    for index in 0..count {
        let (from, to) = (from.at(index)?, to.at(index)?);
        let from = nodes.iter().position(|node| node.handle == from).ok_or(Error::INVALID_VALUE)?;
        let node = nodes.iter_mut().find(|node| node.handle == to).ok_or(Error::INVALID_VALUE)?;
        let edge = node.after.iter().position(|&place| place == from).ok_or(Error::INVALID_VALUE)?;
        node.after.remove(edge);
    }
    Ok(())
}

driver! {
    fn cuGraphGetNodes(graph: Handle, nodes: Out<Handle>, count: InOut<usize>) {
        let all: Vec<_> = lock(&find(graph)?.nodes).iter().map(|node| node.handle).collect();
        Listed { target: nodes, count }.put(&all, Handle::NULL)
    }

    /// Nodes that come after no other.
    fn cuGraphGetRootNodes(graph: Handle, nodes: Out<Handle>, count: InOut<usize>) {
        let graph = find(graph)?;
        let all = lock(&graph.nodes);
        let roots: Vec<_> = all.iter().filter(|node| node.after.is_empty()).map(|node| node.handle).collect();
        Listed { target: nodes, count }.put(&roots, Handle::NULL)
    }

    fn cuGraphGetEdges(graph: Handle, from: Out<Handle>, to: Out<Handle>, count: InOut<usize>) {
        edges(graph, from, to, count).map(drop)
    }

    /// Edges have no data.
    fn cuGraphGetEdges_v2(graph: Handle, from: Out<Handle>, to: Out<Handle>, data: Out<u64>, count: InOut<usize>) {
        let room = edges(graph, from, to, count)?;
        put_no_data(data, room)
    }

    fn cuGraphNodeGetDependencies(node: Handle, nodes: Out<Handle>, count: InOut<usize>) {
        Listed { target: nodes, count }.put(&before(node)?, Handle::NULL)
    }

    /// Edges have no data.
    fn cuGraphNodeGetDependencies_v2(node: Handle, nodes: Out<Handle>, data: Out<u64>, count: InOut<usize>) {
        let room = if nodes.is_null() { 0 } else { count.at(0)? };
        Listed { target: nodes, count }.put(&before(node)?, Handle::NULL)?;
        put_no_data(data, room)
    }

    fn cuGraphNodeGetDependentNodes(node: Handle, nodes: Out<Handle>, count: InOut<usize>) {
        Listed { target: nodes, count }.put(&behind(node)?, Handle::NULL)
    }

    /// Edges have no data.
    fn cuGraphNodeGetDependentNodes_v2(node: Handle, nodes: Out<Handle>, data: Out<u64>, count: InOut<usize>) {
        let room = if nodes.is_null() { 0 } else { count.at(0)? };
        Listed { target: nodes, count }.put(&behind(node)?, Handle::NULL)?;
        put_no_data(data, room)
    }

    fn cuGraphNodeGetType(node: Handle, kind: Out<c_int>) {
        with_node(node, |_, _, node| {
            kind.put(node.task.kind())
        })
    }

    fn cuGraphAddDependencies(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) {
        order(graph, from, to, count)
    }

    /// Edges have no data.
    fn cuGraphAddDependencies_v2(graph: Handle, from: In<Handle>, to: In<Handle>, data: In<u64>, count: usize) {
        refuse_edge_data(data, count)?;
        order(graph, from, to, count)
    }

    fn cuGraphRemoveDependencies(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) {
        unorder(graph, from, to, count)
    }

    /// Edges have no data.
    fn cuGraphRemoveDependencies_v2(graph: Handle, from: In<Handle>, to: In<Handle>, data: In<u64>, count: usize) {
        refuse_edge_data(data, count)?;
        unorder(graph, from, to, count)
    }

    /// What comes after the node comes after nothing in its place.
    fn cuGraphDestroyNode(node: Handle) {
        let graph = graph_of(node)?;
        let mut nodes = lock(&graph.nodes);
        let place = nodes.iter().position(|found| found.handle == node).ok_or(Error::INVALID_HANDLE)?;
        let gone = nodes.remove(place);
        for other in nodes.iter_mut() {
            other.after.retain(|&before| before != place);
            other.after.iter_mut().filter(|before| **before > place).for_each(|before| *before -= 1);
        }
        drop(nodes);
        discard(&gone.task);
        NODES.remove(node).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    /// The node of a clone that was made of a node.
    fn cuGraphNodeFindInClone(node: Out<Handle>, original: Handle, clone: Handle) {
        let clone = find(clone)?;
        let nodes = lock(&clone.nodes);
        let found = nodes.iter().find(|node| original != Handle::NULL && node.original == original);
        node.put(found.ok_or(Error::INVALID_VALUE)?.handle)
    }
}
