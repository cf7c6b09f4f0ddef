//! What graphs of the runtime are made of.

use std::ffi::{c_int, c_uint, c_void};

use gridwright_core::LaunchAttributes;

use super::Amd;
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::handles::{Address, ExecHandle, FunctionHandle, NodeHandle};
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::vendor::{CopyEnd, GraphNodes, LaunchCall, NodePlace};

/// `hipKernelNodeParams`. The runtime takes a module's function for the address of a host's.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Launch {
    block: [c_uint; 3],
    extra: *mut *mut c_void,
    function: FunctionHandle,
    groups: [c_uint; 3],
    arguments: *mut *mut c_void,
    bytes: c_uint,
}

/// `hipMemsetParams`.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Set {
    to: Address,
    value_bytes: c_uint,
    height: usize,
    pitch: usize,
    value: c_uint,
    width: usize,
}

/// `hipMemcpyKind`.
const ON_HOST: c_int = 0;
pub(super) const TO_DEVICE: c_int = 1;
const TO_HOST: c_int = 2;
pub(super) const ON_DEVICE: c_int = 3;
pub(super) const ANYWHERE: c_int = 4;

/// `hipKernelNodeAttributeCooperative`.
const COOPERATIVE: c_int = 2;

impl Launch {
    fn of(call: &LaunchCall) -> Self {
        let LaunchCall { function, groups, block, bytes, arguments, .. } = *call;
        Self { block, extra: std::ptr::null_mut(), function, groups, arguments, bytes }
    }
}

impl GraphNodes for Amd {
    unsafe fn add_launch(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        call: &LaunchCall,
        attributes: &LaunchAttributes,
        _: usize,
    ) -> Result<NodeHandle, Called> {
        let (mut node, add, launch) = (std::ptr::null_mut(), self.own().add_launch, Launch::of(call));
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and the arguments the function's: the runtime
        // copies them before it returns.
        let status =
            unsafe { (add.call)(&raw mut node, graph, after.as_ptr(), after.len(), &raw const launch) };
        done(add.name, status)?;
        if attributes.cooperative {
            let Some(set) = self.own().set_launch_attribute else {
                return Err(("hipGraphKernelNodeSetAttribute", Status::NOT_SUPPORTED));
            };
            // `hipKernelNodeAttrValue`, whose largest variant has 32 bytes before HIP 6 and 64 since then.
            let mut value = [0_u64; 8];
            value[0] = 1;
            // SAFETY: a node of a launch, and a value that is large enough.
            done(set.name, unsafe { (set.call)(node, COOPERATIVE, value.as_ptr().cast()) })?;
        }
        Ok(node)
    }

    unsafe fn set_launch(&self, exec: ExecHandle, node: NodeHandle, call: &LaunchCall) -> Result<(), Called> {
        let (set, launch) = (self.own().set_launch, Launch::of(call));
        // SAFETY: the caller says that the node is of `exec`'s graph, and the arguments the function's; the runtime copies them
        // before it returns.
        done(set.name, unsafe { (set.call)(exec, node, &raw const launch) })
    }

    unsafe fn add_copy(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        from: CopyEnd,
        to: CopyEnd,
        bytes: usize,
    ) -> Result<NodeHandle, Called> {
        let kind = match (from, to) {
            (CopyEnd::Host(_), CopyEnd::Host(_)) => ON_HOST,
            (CopyEnd::Host(_), CopyEnd::Device(_)) => TO_DEVICE,
            (CopyEnd::Device(_), CopyEnd::Host(_)) => TO_HOST,
            (CopyEnd::Device(_), CopyEnd::Device(_)) => ON_DEVICE,
        };
        let [from, to] = [from, to].map(|end| match end {
            CopyEnd::Host(host) => host.expose_provenance() as Address,
            CopyEnd::Device(device) => device,
        });
        let (mut node, add) = (std::ptr::null_mut(), self.own().add_copy);
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and that both have as many bytes when it runs.
        let status =
            unsafe { (add.call)(&raw mut node, graph, after.as_ptr(), after.len(), to, from, bytes, kind) };
        done(add.name, status)?;
        Ok(node)
    }

    unsafe fn add_set(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        to: Address,
        value: u32,
        value_bytes: usize,
        count: usize,
    ) -> Result<NodeHandle, Called> {
        let pitch = value_bytes * count;
        let set = Set { to, value_bytes: value_bytes as c_uint, height: 1, pitch, value, width: count };
        let (mut node, add) = (std::ptr::null_mut(), self.own().add_set);
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and the memory has as many aligned values when
        // it runs.
        let status = unsafe { (add.call)(&raw mut node, graph, after.as_ptr(), after.len(), &raw const set) };
        done(add.name, status)?;
        Ok(node)
    }
}
