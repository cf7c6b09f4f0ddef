//! Graphs as they run.

use std::ffi::c_char;
use std::sync::Arc;

use crate::abi::{In, Out};
use crate::context::{Hip, current};
use crate::error::Error;
use crate::graph::KernelParameters;
use crate::graph_nodes::Task;
use crate::locks::lock;
use crate::registry::{Handle, Registry};
use crate::shared::graph_exec::{self, AUTO_FREE, GraphExecs, find};

type GraphExec = graph_exec::GraphExec<Hip>;

static EXECS: Registry<GraphExec> = Registry::new(11);

impl GraphExecs for Hip {
    fn graph_execs() -> &'static Registry<GraphExec> {
        &EXECS
    }
}

hip! {
    /// There is nothing that could go wrong in a node, and no log.
    fn hipGraphInstantiate(
        exec: Out<Handle>,
        graph: Handle,
        _node: Out<Handle>,
        _log: Out<c_char>,
        _length: usize,
    ) {
        graph_exec::instantiate::<Hip>(exec, graph, 0)
    }

    /// Flags that free a graph's own memory or give priorities change nothing; others aren't supported.
    fn hipGraphInstantiateWithFlags(exec: Out<Handle>, graph: Handle, flags: u64) {
        const PRIORITIES: u64 = 8;
        if flags & !(AUTO_FREE | PRIORITIES) != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
        graph_exec::instantiate::<Hip>(exec, graph, 0)
    }

    /// A launch waits for those before of the same graph, on whatever stream.
    fn hipGraphLaunch(exec: Handle, stream: Handle) {
        find::<Hip>(exec)?.launch(stream)
    }

    /// There is nothing to prepare.
    fn hipGraphUpload(exec: Handle, stream: Handle) since (5, 3) {
        graph_exec::upload::<Hip>(exec, stream)
    }

    /// Launches that are queued run all the same.
    fn hipGraphExecDestroy(exec: Handle) {
        graph_exec::destroy::<Hip>(exec)
    }

    /// For launches to come: those that are queued have the parameters from before.
    fn hipGraphExecKernelNodeSetParams(exec: Handle, node: Handle, parameters: In<KernelParameters>) {
        current()?;
        let exec = find::<Hip>(exec)?;
        let mut steps = lock(&exec.steps);
        let place = steps.iter().position(|found| found.handle == node).ok_or(Error::INVALID_VALUE)?;
        let Task::Launch(before) = &steps[place].task else { return Err(Error::INVALID_VALUE) };
        let launch = parameters.get()?.launch(before.is_cooperative())?;
        if !launch.has_device_of(before) {
            return Err(Error::INVALID_VALUE);
        }
        Arc::make_mut(&mut steps)[place].task = Task::Launch(Arc::new(launch));
        Ok(())
    }
}
