//! Graphs as they run.

use std::ffi::{c_char, c_int};

use crate::abi::{InOut, Out};
use crate::context::{Cuda, current};
use crate::error::Error;
use crate::registry::{Handle, Registry};
use crate::shared::graph_exec::{self, AUTO_FREE, GraphExecs, find};

pub(crate) type Step = graph_exec::Step<Cuda>;
type GraphExec = graph_exec::GraphExec<Cuda>;

static EXECS: Registry<GraphExec> = Registry::new(11);

impl GraphExecs for Cuda {
    fn graph_execs() -> &'static Registry<GraphExec> {
        &EXECS
    }
}

const UPLOAD: u64 = 2;
const DEVICE_LAUNCH: u64 = 4;
const PRIORITIES: u64 = 8;

/// A flag that gives priorities changes nothing. Kernels launch no graphs.
fn instantiate(exec: Out<Handle>, graph: Handle, flags: u64) -> Result<(), Error> {
    current()?;
    let is_wrong = flags & !(AUTO_FREE | UPLOAD | DEVICE_LAUNCH | PRIORITIES) != 0
        || flags & (AUTO_FREE | DEVICE_LAUNCH) == AUTO_FREE | DEVICE_LAUNCH;
    if is_wrong {
        return Err(Error::INVALID_VALUE);
    }
    if flags & DEVICE_LAUNCH != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    graph_exec::instantiate::<Cuda>(exec, graph, flags)
}

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Parameters {
    flags: u64,
    stream: Handle,
    failed_node: Handle,
    result: c_int,
}

driver! {
    fn cuGraphInstantiateWithFlags(exec: Out<Handle>, graph: Handle, flags: u64) {
        instantiate(exec, graph, flags)
    }

    /// The form of CUDA 11.
    fn cuGraphInstantiate_v2(exec: Out<Handle>, graph: Handle, node: Out<Handle>, log: Out<c_char>, room: usize) {
        node.put_if_asked(Handle::NULL);
        if !log.is_null() && room > 0 {
            log.put_text("", room)?;
        }
        instantiate(exec, graph, 0)
    }

    /// An upload that is asked for has nothing to prepare.
    fn cuGraphInstantiateWithParams[ptsz](exec: Out<Handle>, graph: Handle, parameters: InOut<Parameters>) {
        let given = parameters.at(0)?;
        let made = instantiate(exec, graph, given.flags);
        let result = c_int::from(made.is_err());
        parameters.put_at(0, Parameters { failed_node: Handle::NULL, result, ..given })?;
        made
    }

    fn cuGraphExecGetFlags(exec: Handle, flags: Out<u64>) {
        flags.put(find::<Cuda>(exec)?.flags)
    }

    /// A launch waits for those before of the same graph, on whatever stream.
    fn cuGraphLaunch[ptsz](exec: Handle, stream: Handle) {
        find::<Cuda>(exec)?.launch(stream)
    }

    /// There is nothing to prepare.
    fn cuGraphUpload[ptsz](exec: Handle, stream: Handle) {
        graph_exec::upload::<Cuda>(exec, stream)
    }

    /// Launches that are queued run all the same.
    fn cuGraphExecDestroy(exec: Handle) {
        graph_exec::destroy::<Cuda>(exec)
    }
}
