//! Changes of graphs that were instantiated: for launches to come, since those that are queued have what was before.

use std::ffi::{c_int, c_uint};
use std::ops::Range;
use std::sync::Arc;

use crate::abi::{In, Out};
use crate::context::{Cuda, current};
use crate::copy_rows::CopyParameters;
use crate::error::Error;
use crate::graph_exec::Step;
use crate::graph_nodes::{OfEvent, Task};
use crate::graph_parameters::{
    HostParameters, KernelParameters, KernelParameters1, NodeParameters, SetParameters,
};
use crate::locks::lock;
use crate::process::process;
use crate::registry::Handle;
use crate::shared::graph_exec::{find, steps_of};

/// `CUgraphExecUpdateResult`: why a graph can't take the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    Topology = 2,
    NodeType = 3,
    Function = 4,
    Parameters = 5,
}

/// Whether a task can take the place of another.
fn compare(old: &Task, new: &Task) -> Result<(), Difference> {
    if old.kind() != new.kind() {
        return Err(Difference::NodeType);
    }
    match (old, new) {
        (Task::Launch(old), Task::Launch(new)) if !new.has_context_of(old) => Err(Difference::Function),
        (Task::Allocate(old) | Task::Free(old), Task::Allocate(new) | Task::Free(new))
            if !Arc::ptr_eq(old, new) =>
        {
            Err(Difference::Parameters)
        }
        (Task::Copy(old), Task::Copy(new)) if !new.has_places_of(old) => Err(Difference::Parameters),
        _ => Ok(()),
    }
}

/// Changes what a node does.
fn set(exec: Handle, node: Handle, make: impl FnOnce(&Task) -> Result<Task, Error>) -> Result<(), Error> {
    current()?;
    let exec = find::<Cuda>(exec)?;
    let mut steps = lock(&exec.steps);
    let place = place(&steps, node)?;
    let before = &steps.get(place).ok_or(Error::INVALID_VALUE)?.task;
    let new = make(before)?;
    compare(before, &new).map_err(|_| Error::INVALID_VALUE)?;
    if let Some(step) = Arc::make_mut(&mut steps).get_mut(place) {
        step.task = new;
    }
    Ok(())
}

fn place(steps: &[Step], node: Handle) -> Result<usize, Error> {
    steps.iter().position(|step| step.handle == node).ok_or(Error::INVALID_VALUE)
}

/// Compares the steps of a graph with those of another, and says what differs first, and at which of them.
fn compare_all(
    old: &[Step],
    at: &Range<usize>,
    new: &[Step],
    new_at: &Range<usize>,
) -> Result<(), (Difference, usize)> {
    let of_inside = |after: &[usize], range: &Range<usize>| -> Vec<usize> {
        let inside = after.iter().filter(|place| range.contains(place));
        let mut places: Vec<_> = inside.map(|place| place - range.start).collect();
        places.sort_unstable();
        places
    };
    if at.len() != new_at.len() {
        return Err((Difference::Topology, new_at.start));
    }
    for (old_place, new_place) in at.clone().zip(new_at.clone()) {
        let (Some(before), Some(now)) = (old.get(old_place), new.get(new_place)) else {
            return Err((Difference::Topology, new_place));
        };
        compare(&before.task, &now.task).map_err(|difference| (difference, new_place))?;
        if of_inside(&before.after, at) != of_inside(&now.after, new_at) {
            return Err((Difference::Topology, new_place));
        }
        compare_all(old, &before.inner, new, &now.inner)?;
    }
    Ok(())
}

/// Gives steps the tasks of others, which were compared.
fn take_over(old: &mut [Step], at: &Range<usize>, new: &[Step], new_at: &Range<usize>) {
    for (old_place, new_place) in at.clone().zip(new_at.clone()) {
        let (Some(step), Some(now)) = (old.get_mut(old_place), new.get(new_place)) else { return };
        // A graph in it keeps its handle: its steps are what changes.
        if !matches!(step.task, Task::Child(_)) {
            step.task = now.task.clone();
        }
        let inner = step.inner.clone();
        take_over(old, &inner, new, &now.inner);
    }
}

/// Makes steps do what others say, if they can take their place.
fn replace(
    old: &mut Arc<Vec<Step>>,
    at: &Range<usize>,
    new: &[Step],
    new_at: &Range<usize>,
) -> Result<(), (Difference, usize)> {
    compare_all(old, at, new, new_at)?;
    let old: &mut Vec<Step> = Arc::make_mut(old);
    take_over(old, at, new, new_at);
    Ok(())
}

/// Makes an instantiated graph do what another one says. Handles stay those of the first.
fn update(exec: Handle, graph: Handle) -> Result<Result<(), (Difference, Handle)>, Error> {
    current()?;
    let exec = find::<Cuda>(exec)?;
    let (new, new_at) = steps_of(graph)?;
    let mut steps = lock(&exec.steps);
    // Steps of its own are in front: those of graphs in it are behind.
    let inner: usize = steps.iter().map(|step| step.inner.len()).sum();
    let at = 0..steps.len().saturating_sub(inner);
    let node = |place: usize| new.get(place).map_or(Handle::NULL, |step| step.handle);
    Ok(replace(&mut steps, &at, &new, &new_at).map_err(|(difference, place)| (difference, node(place))))
}

/// Makes a node's graph do what another one says.
fn set_child(exec: Handle, node: Handle, graph: Handle) -> Result<(), Error> {
    current()?;
    let exec = find::<Cuda>(exec)?;
    let (new, new_at) = steps_of(graph)?;
    let mut steps = lock(&exec.steps);
    let step = steps.get(place(&steps, node)?).ok_or(Error::INVALID_VALUE)?;
    if !matches!(step.task, Task::Child(_)) {
        return Err(Error::INVALID_VALUE);
    }
    let at = step.inner.clone();
    replace(&mut steps, &at, &new, &new_at).map_err(|_| Error::INVALID_VALUE)
}

/// `CUgraphExecUpdateResultInfo`.
#[derive(Clone, Copy)]
#[repr(C)]
struct UpdateResult {
    result: c_int,
    node: Handle,
    from_node: Handle,
}

driver! {
    fn cuGraphExecKernelNodeSetParams(exec: Handle, node: Handle, parameters: In<KernelParameters1>) {
        set(exec, node, |before| parameters.get()?.newer().task(Some(before)))
    }

    fn cuGraphExecKernelNodeSetParams_v2(exec: Handle, node: Handle, parameters: In<KernelParameters>) {
        set(exec, node, |before| parameters.get()?.task(Some(before)))
    }

    /// The memory is of the same kinds as before.
    fn cuGraphExecMemcpyNodeSetParams(exec: Handle, node: Handle, parameters: In<CopyParameters>, _context: Handle) {
        set(exec, node, |_| parameters.get()?.task(process()?))
    }

    fn cuGraphExecMemsetNodeSetParams(exec: Handle, node: Handle, parameters: In<SetParameters>, _context: Handle) {
        set(exec, node, |_| parameters.get()?.task())
    }

    fn cuGraphExecHostNodeSetParams(exec: Handle, node: Handle, parameters: In<HostParameters>) {
        set(exec, node, |_| parameters.get()?.task())
    }

    fn cuGraphExecEventRecordNodeSetEvent(exec: Handle, node: Handle, event: Handle) {
        set(exec, node, |_| Ok(Task::Record(OfEvent::new(event)?)))
    }

    fn cuGraphExecEventWaitNodeSetEvent(exec: Handle, node: Handle, event: Handle) {
        set(exec, node, |_| Ok(Task::Wait(OfEvent::new(event)?)))
    }

    /// The graph has the same nodes and edges as the one before.
    fn cuGraphExecChildGraphNodeSetParams(exec: Handle, node: Handle, graph: Handle) {
        set_child(exec, node, graph)
    }

    fn cuGraphExecNodeSetParams(exec: Handle, node: Handle, parameters: NodeParameters) {
        if let Some(graph) = parameters.child()? {
            return set_child(exec, node, graph);
        }
        set(exec, node, |before| parameters.task(Some(before)))
    }

    /// Nodes belong together that were added in the same order.
    fn cuGraphExecUpdate_v2(exec: Handle, graph: Handle, info: Out<UpdateResult>) {
        let Err((difference, node)) = update(exec, graph)? else {
            return info.put(UpdateResult { result: 0, node: Handle::NULL, from_node: Handle::NULL });
        };
        info.put(UpdateResult { result: difference as c_int, node, from_node: Handle::NULL })?;
        Err(Error::GRAPH_EXEC_UPDATE_FAILURE)
    }

    fn cuGraphExecUpdate(exec: Handle, graph: Handle, node: Out<Handle>, result: Out<c_int>) {
        node.put_if_asked(Handle::NULL);
        let Err((difference, differing)) = update(exec, graph)? else { return result.put(0) };
        node.put_if_asked(differing);
        result.put(difference as c_int)?;
        Err(Error::GRAPH_EXEC_UPDATE_FAILURE)
    }

    /// A kernel, a copy or memory that is set: without, the node only orders others.
    fn cuGraphNodeSetEnabled(exec: Handle, node: Handle, is_enabled: c_uint) {
        current()?;
        let exec = find::<Cuda>(exec)?;
        let mut steps = lock(&exec.steps);
        let place = place(&steps, node)?;
        let step = Arc::make_mut(&mut steps).get_mut(place).ok_or(Error::INVALID_VALUE)?;
        if !matches!(step.task, Task::Launch(_) | Task::Copy(_) | Task::Set(_)) {
            return Err(Error::INVALID_VALUE);
        }
        step.is_enabled = is_enabled != 0;
        Ok(())
    }

    fn cuGraphNodeGetEnabled(exec: Handle, node: Handle, is_enabled: Out<c_uint>) {
        let exec = find::<Cuda>(exec)?;
        let steps = lock(&exec.steps);
        let step = steps.get(place(&steps, node)?).ok_or(Error::INVALID_VALUE)?;
        is_enabled.put(step.is_enabled.into())
    }
}
