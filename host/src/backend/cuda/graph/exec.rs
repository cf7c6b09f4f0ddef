//! A graph of the driver's, made of recorded work.

use std::ffi::{c_uint, c_void};
use std::sync::Arc;

use cudarc::driver::sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMCPY3D, CUcontext, CUdeviceptr, CUgraph,
    CUgraphExec, CUgraphNode, CUmemorytype,
};
use gridwright_core::LaunchAttributes;
use gridwright_device::arch;

use super::super::api::Api;
use super::super::attributes::List;
use super::super::errors::Status;
use super::super::memory::{Called, address};
use super::super::{function, memory};
use super::dependencies;
use crate::backend::ptx::Arguments;
use crate::backend::{KernelTask, Operation, Task, Ticket, Work};
use crate::host_call::HostCall;

/// A pattern is repeated up to so many bytes on the host before it is copied, and repeated further on the device.
const REPEATED: usize = 4096;

/// Whose graphs they are.
pub(super) struct Of<'a> {
    pub(super) api: &'a Api,
    pub(super) context: CUcontext,
    /// The most bytes that the workgroups of a processor can have.
    pub(super) processor_bytes: usize,
}

/// A graph that can be launched, and all that it needs but the memory of buffers.
#[derive(Debug)]
pub(in super::super) struct Exec {
    graph: CUgraph,
    pub(super) exec: CUgraphExec,
    /// The node of each launch.
    launches: Vec<CUgraphNode>,
    /// What each operation's launch asks for beyond its sizes.
    attributes: Vec<LaunchAttributes>,
    after: Vec<Vec<usize>>,
    /// The kernels, each once.
    pub(super) kernels: Arc<[&'static str]>,
    /// Pinned memory of the host that its copies read; null if there are none.
    constants: *mut c_void,
    /// What its host nodes call.
    calls: Vec<Arc<HostCall>>,
    /// The last replay.
    pub(super) last: Option<Ticket>,
}

// SAFETY: handles that any thread may use that has the context current, and memory that nobody writes.
unsafe impl Send for Exec {}

fn done(call: &'static str, status: Status) -> Result<(), Called> {
    if status == Status::SUCCESS { Ok(()) } else { Err((call, status)) }
}

impl Exec {
    /// The context is current.
    pub(super) fn make(of: &Of<'_>, work: &Work) -> Result<Self, Failed> {
        let mut kernels: Vec<&'static str> = launches(work).map(|(_, kernel)| kernel.code.name).collect();
        kernels.sort_unstable();
        kernels.dedup();
        let mut made = Self {
            graph: std::ptr::null_mut(),
            exec: std::ptr::null_mut(),
            launches: vec![std::ptr::null_mut(); work.operations.len()],
            attributes: work.operations.iter().map(attributes).collect(),
            after: dependencies::of(&work.operations),
            kernels: kernels.into(),
            constants: std::ptr::null_mut(),
            calls: Vec::new(),
            last: None,
        };
        match made.build(of, work) {
            Ok(()) => Ok(made),
            Err(failed) => {
                made.destroy(of.api);
                Err(failed)
            }
        }
    }

    fn build(&mut self, of: &Of<'_>, work: &Work) -> Result<(), Failed> {
        let &Of { api, context, processor_bytes } = of;
        // SAFETY: a graph to write.
        done("cuGraphCreate", unsafe { (api.create_graph)(&raw mut self.graph, 0) })?;
        let mut constants = self.constants(api, work)?;
        // The node behind which all of an operation is done.
        let mut ends: Vec<CUgraphNode> = Vec::with_capacity(work.operations.len());
        for (number, operation) in work.operations.iter().enumerate() {
            let after = self.after.get(number).into_iter().flatten();
            let after: Vec<CUgraphNode> = after.filter_map(|&before| ends.get(before).copied()).collect();
            let mut nodes = Nodes { api, graph: self.graph, context, processor_bytes, after };
            match &operation.task {
                Task::Nothing => nodes.nothing()?,
                Task::Launch(kernel) => {
                    let node = nodes.launch(kernel).map_err(|failed| failed.of(kernel))?;
                    if let Some(place) = self.launches.get_mut(number) {
                        *place = node;
                    }
                }
                &Task::Copy { from, to, bytes } => {
                    nodes.copy(Source::Device(address(from.pointer)), address(to.pointer), bytes)?;
                }
                Task::Write { to, bytes } => {
                    nodes.copy(Source::Host(constants.next(bytes, 1)), address(to.pointer), bytes.len())?;
                }
                Task::Fill { to, pattern, count } => {
                    let (to, bytes) = (address(to.pointer), pattern.len() * count);
                    if let Some(unit) = unit(pattern) {
                        nodes.set(to, unit, bytes / unit.len())?;
                    } else {
                        let repeats = repeats(pattern, *count);
                        let mut there = pattern.len() * repeats;
                        nodes.copy(Source::Host(constants.next(pattern, repeats)), to, there)?;
                        while there < bytes {
                            let more = there.min(bytes - there);
                            nodes.copy(Source::Device(to), to + there as CUdeviceptr, more)?;
                            there += more;
                        }
                    }
                }
                Task::Host(call) => {
                    nodes.host(call)?;
                    self.calls.push(Arc::clone(call));
                }
            }
            ends.extend(nodes.after);
        }
        // SAFETY: the graph was made above; an executable one to write.
        let status = unsafe { (api.instantiate_graph)(&raw mut self.exec, self.graph, 0) };
        Ok(done("cuGraphInstantiateWithFlags", status)?)
    }

    /// Pinned memory for all that copies from the host read.
    fn constants(&mut self, api: &Api, work: &Work) -> Result<Constants, Called> {
        let bytes = work.operations.iter().fold(0, |sum: usize, operation| {
            sum.saturating_add(match &operation.task {
                Task::Write { bytes, .. } => bytes.len(),
                Task::Fill { pattern, count, .. } if unit(pattern).is_none() => {
                    pattern.len() * repeats(pattern, *count)
                }
                _ => 0,
            })
        });
        if bytes > 0 {
            // SAFETY: the context is current; an address to write.
            let status = unsafe { (api.allocate_host)(&raw mut self.constants, bytes, 0) };
            done("cuMemHostAlloc", status)?;
        }
        Ok(Constants { next: self.constants.cast() })
    }

    /// Whether a launch can be given the arguments that it has in this work: nothing else changes, and nothing comes after
    /// anything else.
    pub(super) fn can_take(&self, work: &Work, kernel: &KernelTask, operation: usize) -> bool {
        self.attributes.get(operation) == Some(&kernel.attributes)
            && self.after == dependencies::of(&work.operations)
    }

    /// Gives a launch other arguments, for replays to come. The context is current.
    pub(super) fn set(&self, api: &Api, kernel: &KernelTask, operation: usize) -> Result<(), Called> {
        let node = self.launches.get(operation).copied().unwrap_or(std::ptr::null_mut());
        let mut arguments = Arguments::default();
        let parameters = parameters(kernel, &mut arguments);
        // SAFETY: a node of the graph that this was made of; the driver copies the arguments before it returns.
        let status = unsafe { (api.set_launch)(self.exec, node, &raw const parameters) };
        done("cuGraphExecKernelNodeSetParams", status)
    }

    /// The context is current, and no replay runs. Drops what the host nodes call, which is the program's: no lock is held.
    pub(in super::super) fn destroy(self, api: &Api) {
        // There is nobody to tell.
        if !self.exec.is_null() {
            // SAFETY: made above, and the last use.
            let _ = unsafe { (api.destroy_exec)(self.exec) };
        }
        if !self.graph.is_null() {
            // SAFETY: as above.
            let _ = unsafe { (api.destroy_graph)(self.graph) };
        }
        if !self.constants.is_null() {
            // SAFETY: as above.
            let _ = unsafe { (api.free_host)(self.constants) };
        }
    }
}

fn attributes(operation: &Operation) -> LaunchAttributes {
    match &operation.task {
        Task::Launch(kernel) => kernel.attributes,
        _ => LaunchAttributes::default(),
    }
}

fn launches(work: &Work) -> impl Iterator<Item = (usize, &KernelTask)> {
    work.operations.iter().enumerate().filter_map(|(i, operation)| match &operation.task {
        Task::Launch(kernel) => Some((i, &**kernel)),
        _ => None,
    })
}

/// The 1, 2 or 4 bytes that a pattern repeats, if it does: what the driver sets memory to.
fn unit(pattern: &[u8]) -> Option<&[u8]> {
    let unit = memory::period(pattern);
    pattern.get(..unit).filter(|_| matches!(unit, 1 | 2 | 4))
}

/// How often a pattern is repeated on the host.
fn repeats(pattern: &[u8], count: usize) -> usize {
    (REPEATED / pattern.len().max(1)).clamp(1, count.max(1))
}

/// A call that failed, for a kernel or for none.
pub(super) struct Failed {
    pub(super) called: Called,
    pub(super) kernel: Option<&'static str>,
}

impl From<Called> for Failed {
    fn from(called: Called) -> Self {
        Self { called, kernel: None }
    }
}

trait OfKernel {
    fn of(self, kernel: &KernelTask) -> Failed;
}

impl OfKernel for Called {
    fn of(self, kernel: &KernelTask) -> Failed {
        Failed { called: self, kernel: Some(kernel.code.name) }
    }
}

/// Pinned memory that is being written.
struct Constants {
    next: *mut u8,
}

impl Constants {
    /// Writes bytes as often as is said, and gives where.
    fn next(&mut self, bytes: &[u8], times: usize) -> *const u8 {
        let begin = self.next;
        for _ in 0..times {
            // SAFETY: the memory was allocated for all that is written, and nothing reads it yet.
            self.next = unsafe {
                self.next.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                self.next.add(bytes.len())
            };
        }
        begin
    }
}

#[derive(Clone, Copy)]
enum Source {
    Host(*const u8),
    Device(CUdeviceptr),
}

/// The nodes of one operation, one after another.
struct Nodes<'a> {
    api: &'a Api,
    graph: CUgraph,
    context: CUcontext,
    processor_bytes: usize,
    /// What the next one comes after.
    after: Vec<CUgraphNode>,
}

impl Nodes<'_> {
    fn add(
        &mut self,
        call: &'static str,
        add: impl FnOnce(&Api, *mut CUgraphNode, CUgraph, *const CUgraphNode, usize) -> Status,
    ) -> Result<CUgraphNode, Called> {
        let mut node = std::ptr::null_mut();
        done(call, add(self.api, &raw mut node, self.graph, self.after.as_ptr(), self.after.len()))?;
        self.after.clear();
        self.after.push(node);
        Ok(node)
    }

    fn nothing(&mut self) -> Result<(), Called> {
        self.add("cuGraphAddEmptyNode", |api, node, graph, after, count| {
            // SAFETY: a node to write, and as many nodes of this graph.
            unsafe { (api.add_empty)(node, graph, after, count) }
        })
        .map(|_| ())
    }

    fn launch(&mut self, kernel: &KernelTask) -> Result<CUgraphNode, Called> {
        let mut arguments = Arguments::default();
        let parameters = parameters(kernel, &mut arguments);
        let node = self.add("cuGraphAddKernelNode", |api, node, graph, after, count| {
            // SAFETY: as above; the function is of this context's module, and its arguments live until the driver has
            // copied them.
            unsafe { (api.add_launch)(node, graph, after, count, &raw const parameters) }
        })?;
        for attribute in List::of(&kernel.attributes, self.processor_bytes).as_slice() {
            // SAFETY: a node of a launch; the value has the size of the union of all attributes' values.
            let status =
                unsafe { (self.api.set_launch_attribute)(node, attribute.id(), attribute.value().cast()) };
            done("cuGraphKernelNodeSetAttribute", status)?;
        }
        Ok(node)
    }

    fn copy(&mut self, from: Source, to: CUdeviceptr, bytes: usize) -> Result<(), Called> {
        let (kind, host, device) = match from {
            Source::Host(host) => (CUmemorytype::CU_MEMORYTYPE_HOST, host, 0),
            Source::Device(device) => (CUmemorytype::CU_MEMORYTYPE_DEVICE, std::ptr::null(), device),
        };
        let parameters = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: kind,
            srcHost: host.cast(),
            srcDevice: device,
            srcArray: std::ptr::null_mut(),
            reserved0: std::ptr::null_mut(),
            srcPitch: bytes,
            srcHeight: 1,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstHost: std::ptr::null_mut(),
            dstDevice: to,
            dstArray: std::ptr::null_mut(),
            reserved1: std::ptr::null_mut(),
            dstPitch: bytes,
            dstHeight: 1,
            WidthInBytes: bytes,
            Height: 1,
            Depth: 1,
        };
        let context = self.context;
        self.add("cuGraphAddMemcpyNode", |api, node, graph, after, count| {
            // SAFETY: as above; both have as many bytes and live as long as the graph.
            unsafe { (api.add_copy)(node, graph, after, count, &raw const parameters, context) }
        })
        .map(|_| ())
    }

    fn set(&mut self, to: CUdeviceptr, unit: &[u8], count: usize) -> Result<(), Called> {
        let mut value = [0; 4];
        for (byte, given) in value.iter_mut().zip(unit) {
            *byte = *given;
        }
        let parameters = cudarc::driver::sys::CUDA_MEMSET_NODE_PARAMS {
            dst: to,
            pitch: unit.len() * count,
            value: u32::from_le_bytes(value),
            elementSize: unit.len() as c_uint,
            width: count,
            height: 1,
        };
        let context = self.context;
        self.add("cuGraphAddMemsetNode", |api, node, graph, after, count| {
            // SAFETY: as above; the memory has as many units, aligned as a buffer is, and lives as long as the graph.
            unsafe { (api.add_set)(node, graph, after, count, &raw const parameters, context) }
        })
        .map(|_| ())
    }

    fn host(&mut self, call: &Arc<HostCall>) -> Result<(), Called> {
        let parameters =
            CUDA_HOST_NODE_PARAMS { fn_: Some(run_call), userData: Arc::as_ptr(call).cast_mut().cast() };
        self.add("cuGraphAddHostNode", |api, node, graph, after, count| {
            // SAFETY: as above; the call lives as long as the graph and its replays.
            unsafe { (api.add_host)(node, graph, after, count, &raw const parameters) }
        })
        .map(|_| ())
    }
}

/// # Safety
/// `call` is a [`HostCall`].
unsafe extern "C" fn run_call(call: *mut c_void) {
    // SAFETY: what the node was given.
    unsafe { &*call.cast::<HostCall>() }.run();
}

/// What the driver is given of a launch. The addresses are those of the task and of `arguments`.
fn parameters(kernel: &KernelTask, arguments: &mut Arguments) -> CUDA_KERNEL_NODE_PARAMS_v2 {
    let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    let arch::Launch { geometry, memory } = &kernel.sizes;
    let ([groups_x, groups_y, groups_z], [x, y, z]) = (geometry.groups, geometry.block);
    let launch = kernel.launch(&[]);
    CUDA_KERNEL_NODE_PARAMS_v2 {
        func: function(kernel.loaded),
        gridDimX: size(groups_x),
        gridDimY: size(groups_y),
        gridDimZ: size(groups_z),
        blockDimX: size(x),
        blockDimY: size(y),
        blockDimZ: size(z),
        sharedMemBytes: size(memory.bytes),
        // SAFETY: the task's own raw arguments, which it owns.
        kernelParams: unsafe { arguments.gather(&launch) }.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    }
}
