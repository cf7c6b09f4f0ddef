//! A graph of the driver's, made of recorded work.

use std::ffi::c_void;
use std::sync::Arc;

use gridwright_core::LaunchAttributes;

use super::super::api::HostNode;
use super::super::handles::{Address, ExecHandle, GraphHandle, NodeHandle};
use super::super::kernels::function;
use super::super::memory::{address, period};
use super::super::status::{Called, done};
use super::super::vendor::{CopyEnd, LaunchCall, NodePlace};
use super::super::{Api, Vendor};
use super::dependencies;
use crate::backend::gpu::Arguments;
use crate::submission::{BoxCopy, Home, HostCall, KernelTask, Operation, Place, Task, Ticket, Work};

/// A pattern is repeated up to so many bytes on the host before it is copied, and repeated further on the device.
const REPEATED: usize = 4096;

/// The device that a graph is made for.
pub(super) struct Of<'a, V> {
    pub(super) api: &'a Api,
    pub(super) vendor: &'a V,
    /// The most bytes that the workgroups of a processor can have.
    pub(super) processor_bytes: usize,
}

/// A graph that can be launched, and all that it needs but the memory of buffers.
#[derive(Debug)]
pub(in super::super) struct Exec {
    graph: GraphHandle,
    pub(super) exec: ExecHandle,
    /// The node of each launch.
    launches: Vec<NodeHandle>,
    /// The attributes of each operation's launch.
    attributes: Vec<LaunchAttributes>,
    after: Vec<Vec<usize>>,
    /// The kernels, each once.
    pub(super) kernels: Arc<[&'static str]>,
    /// Pinned memory of the host that its copies read; null if there are none.
    constants: *mut c_void,
    /// The functions that the graph's host nodes call.
    calls: Vec<Arc<HostCall>>,
    /// The last replay.
    pub(super) last: Option<Ticket>,
}

// SAFETY: handles that any thread may use that has the context current, and memory that nobody writes.
unsafe impl Send for Exec {}

impl Exec {
    /// Makes a graph of recorded work. The context is current.
    pub(super) fn make<V: Vendor>(of: &Of<'_, V>, work: &Work) -> Result<Self, Failed> {
        let mut kernels: Vec<&'static str> = launches(work).map(|(_, kernel)| kernel.code.name).collect();
        kernels.sort_unstable();
        kernels.dedup();
        let mut made = Self {
            graph: std::ptr::null_mut(),
            exec: std::ptr::null_mut(),
            launches: vec![std::ptr::null_mut(); work.operations.len()],
            attributes: work.operations.iter().map(|operation| attributes(operation)).collect(),
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

    fn build<V: Vendor>(&mut self, of: &Of<'_, V>, work: &Work) -> Result<(), Failed> {
        let &Of { api, vendor, processor_bytes } = of;
        // SAFETY: a graph to write.
        done(api.create_graph.name, unsafe { (api.create_graph.call)(&raw mut self.graph, 0) })?;
        let mut constants = self.constants(api, work)?;
        // The node behind which all of an operation is done.
        let mut ends: Vec<NodeHandle> = Vec::with_capacity(work.operations.len());
        for (number, operation) in work.operations.iter().enumerate() {
            let after = self.after.get(number).into_iter().flatten();
            let after: Vec<NodeHandle> = after.filter_map(|&before| ends.get(before).copied()).collect();
            let mut nodes = Nodes { api, vendor, graph: self.graph, processor_bytes, after };
            match &operation.task {
                Task::Nothing => nodes.nothing()?,
                Task::Launch(kernel) => {
                    let node = nodes.launch(kernel).map_err(|failed| failed.of(kernel))?;
                    if let Some(place) = self.launches.get_mut(number) {
                        *place = node;
                    }
                }
                &Task::Copy { from, to, bytes } => {
                    nodes.copy(end(from), end(to), bytes)?;
                }
                Task::CopyBox { from, to, copy } => {
                    nodes.copy_box(address(from.pointer), address(to.pointer), copy)?;
                }
                Task::Write { to, bytes } => {
                    nodes.copy(CopyEnd::Host(constants.next(bytes, 1)), end(*to), bytes.len())?;
                }
                Task::Fill { to, pattern, count } => {
                    let (to, bytes) = (address(to.pointer), pattern.len() * count);
                    if let Some(unit) = unit(pattern) {
                        nodes.set(to, unit, bytes / unit.len())?;
                    } else {
                        let repeats = repeats(pattern, *count);
                        let mut there = pattern.len() * repeats;
                        let first = CopyEnd::Host(constants.next(pattern, repeats));
                        nodes.copy(first, CopyEnd::Device(to), there)?;
                        while there < bytes {
                            let more = there.min(bytes - there);
                            let next = CopyEnd::Device(to + there as Address);
                            nodes.copy(CopyEnd::Device(to), next, more)?;
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
        let status = unsafe { (api.instantiate_graph.call)(&raw mut self.exec, self.graph, 0) };
        Ok(done(api.instantiate_graph.name, status)?)
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
            let status = unsafe { (api.allocate_host.call)(&raw mut self.constants, bytes, 0) };
            done(api.allocate_host.name, status)?;
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
    pub(super) fn set<V: Vendor>(
        &self,
        vendor: &V,
        kernel: &KernelTask,
        operation: usize,
    ) -> Result<(), Called> {
        let node = self.launches.get(operation).copied().unwrap_or(std::ptr::null_mut());
        let mut arguments = Arguments::default();
        let call = call::<V>(kernel, &mut arguments);
        // SAFETY: a node of the graph that this was made of; the arguments live until the driver has copied them.
        unsafe { vendor.set_launch(self.exec, node, &call) }
    }

    /// Destroys the graph. The context is current, and no replay runs.
    /// What the host nodes call, which is the program's, is dropped: no lock is held.
    pub(in super::super) fn destroy(self, api: &Api) {
        // There is nobody to tell.
        if !self.exec.is_null() {
            // SAFETY: made above, and the last use.
            let _ = unsafe { (api.destroy_exec.call)(self.exec) };
        }
        if !self.graph.is_null() {
            // SAFETY: `build` made the graph, and nobody uses it after this.
            let _ = unsafe { (api.destroy_graph.call)(self.graph) };
        }
        if !self.constants.is_null() {
            // SAFETY: `constants` allocated the memory, and no replay runs that reads it.
            let _ = unsafe { (api.free_host.call)(self.constants) };
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
    let unit = period(pattern);
    pattern.get(..unit).filter(|_| matches!(unit, 1 | 2 | 4))
}

/// A place as an end of a copy: mapped memory is the host's.
fn end(place: Place) -> CopyEnd {
    match place.home {
        Home::Mapped => CopyEnd::Host(place.pointer.as_ptr()),
        _ => CopyEnd::Device(address(place.pointer)),
    }
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
    fn next(&mut self, bytes: &[u8], times: usize) -> *mut u8 {
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

/// The nodes of one operation, one after another.
struct Nodes<'a, V> {
    api: &'a Api,
    vendor: &'a V,
    graph: GraphHandle,
    processor_bytes: usize,
    /// The nodes that the next node comes after.
    after: Vec<NodeHandle>,
}

impl<V: Vendor> Nodes<'_, V> {
    fn place(&self) -> NodePlace<'_> {
        NodePlace { graph: self.graph, after: &self.after }
    }

    fn added(&mut self, node: NodeHandle) -> NodeHandle {
        self.after.clear();
        self.after.push(node);
        node
    }

    fn nothing(&mut self) -> Result<(), Called> {
        let mut node = std::ptr::null_mut();
        let add = self.api.add_empty;
        // SAFETY: a node to write, and as many nodes of this graph.
        let status = unsafe { (add.call)(&raw mut node, self.graph, self.after.as_ptr(), self.after.len()) };
        done(add.name, status)?;
        self.added(node);
        Ok(())
    }

    fn launch(&mut self, kernel: &KernelTask) -> Result<NodeHandle, Called> {
        let mut arguments = Arguments::default();
        let (call, bytes) = (call::<V>(kernel, &mut arguments), self.processor_bytes);
        // SAFETY: nodes of this graph; the function is of this device's module, and its arguments live until the driver has
        // copied them.
        let node = unsafe { self.vendor.add_launch(self.place(), &call, &kernel.attributes, bytes) }?;
        Ok(self.added(node))
    }

    fn copy(&mut self, from: CopyEnd, to: CopyEnd, bytes: usize) -> Result<(), Called> {
        // SAFETY: nodes of this graph; both have as many bytes and live as long as the graph.
        let node = unsafe { self.vendor.add_copy(self.place(), from, to, bytes) }?;
        self.added(node);
        Ok(())
    }

    fn copy_box(&mut self, from: Address, to: Address, copy: &BoxCopy) -> Result<(), Called> {
        // SAFETY: nodes of this graph; the box lies in memory on both sides, which lives as long as the graph.
        if let Some(node) = unsafe { self.vendor.add_copy_box(self.place(), from, to, copy) } {
            let node = node?;
            self.added(node);
            return Ok(());
        }
        copy.offsets().try_for_each(|(from_offset, to_offset)| {
            let (from, to) = (from + from_offset as Address, to + to_offset as Address);
            self.copy(CopyEnd::Device(from), CopyEnd::Device(to), copy.row)
        })
    }

    fn set(&mut self, to: Address, unit: &[u8], count: usize) -> Result<(), Called> {
        let mut value = [0; 4];
        for (byte, given) in value.iter_mut().zip(unit) {
            *byte = *given;
        }
        let value = u32::from_le_bytes(value);
        // SAFETY: nodes of this graph; the memory has as many units, aligned as a buffer is, and lives as long as the graph.
        let node = unsafe { self.vendor.add_set(self.place(), to, value, unit.len(), count) }?;
        self.added(node);
        Ok(())
    }

    fn host(&mut self, call: &Arc<HostCall>) -> Result<(), Called> {
        let parameters = HostNode { function: Some(run_call), data: Arc::as_ptr(call).cast_mut().cast() };
        let (mut node, add) = (std::ptr::null_mut(), self.api.add_host);
        let (after, count) = (self.after.as_ptr(), self.after.len());
        // SAFETY: a node to write, and as many nodes of this graph; the call lives as long as the graph and its replays.
        let status = unsafe { (add.call)(&raw mut node, self.graph, after, count, &raw const parameters) };
        done(add.name, status)?;
        self.added(node);
        Ok(())
    }
}

/// # Safety
/// `call` is a [`HostCall`].
unsafe extern "C" fn run_call(call: *mut c_void) {
    // SAFETY: what the node was given.
    unsafe { &*call.cast::<HostCall>() }.run();
}

/// A launch as the driver takes it. The addresses are those of the task and of `arguments`.
fn call<V: Vendor>(kernel: &KernelTask, arguments: &mut Arguments) -> LaunchCall {
    let launch = kernel.launch(&[]);
    LaunchCall {
        // SAFETY: the task's own raw arguments, which it owns.
        arguments: unsafe { arguments.gather(&launch, V::in_parts(launch.code)) }.as_mut_ptr(),
        ..LaunchCall::of(function(&*kernel.loaded), &kernel.sizes)
    }
}
