//! What graphs of CUDA's driver are made of.

use std::ffi::c_uint;

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUmemorytype};
use gridwright_core::LaunchAttributes;

use super::Nvidia;
use super::attributes::List;
use super::boxes::{box_parameters, is_in_reach};
use crate::backend::gpu::driver::handles::{Address, ExecHandle, NodeHandle};
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::vendor::{CopyEnd, GraphNodes, LaunchCall, NodePlace};
use crate::submission::{BoxCopy, BoxSide};

impl GraphNodes for Nvidia {
    unsafe fn add_launch(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        call: &LaunchCall,
        attributes: &LaunchAttributes,
        processor_bytes: usize,
    ) -> Result<NodeHandle, Called> {
        let (mut node, add, set) =
            (std::ptr::null_mut(), self.own().add_launch, self.own().set_launch_attribute);
        let parameters = parameters(call);
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and the arguments the function's: the driver
        // copies them before it returns.
        let status = unsafe {
            (add.call)(&raw mut node, graph.cast(), after.as_ptr().cast(), after.len(), &raw const parameters)
        };
        done(add.name, status)?;
        for attribute in List::of(attributes, processor_bytes).as_slice() {
            // SAFETY: a node of a launch; the value has the size of the union of all attributes' values.
            let status = unsafe { (set.call)(node, attribute.id(), attribute.value().cast()) };
            done(set.name, status)?;
        }
        Ok(node.cast())
    }

    unsafe fn set_launch(&self, exec: ExecHandle, node: NodeHandle, call: &LaunchCall) -> Result<(), Called> {
        let (parameters, set) = (parameters(call), self.own().set_launch);
        // SAFETY: the caller says that the node is of `exec`'s graph, and the arguments the function's; the driver copies them
        // before it returns.
        done(set.name, unsafe { (set.call)(exec.cast(), node.cast(), &raw const parameters) })
    }

    unsafe fn add_copy(
        &self,
        place: NodePlace<'_>,
        from: CopyEnd,
        to: CopyEnd,
        bytes: usize,
    ) -> Result<NodeHandle, Called> {
        let parts = |end| match end {
            CopyEnd::Host(host) => (CUmemorytype::CU_MEMORYTYPE_HOST, host, 0),
            CopyEnd::Device(device) => (CUmemorytype::CU_MEMORYTYPE_DEVICE, std::ptr::null_mut(), device),
        };
        let (source, target) = (parts(from), parts(to));
        let side = BoxSide { first: 0, pitch: bytes, height: 1 };
        let copy = BoxCopy { row: bytes, rows: 1, planes: 1, from: side, to: side };
        let parameters = CUDA_MEMCPY3D {
            srcMemoryType: source.0,
            srcHost: source.1.cast_const().cast(),
            dstMemoryType: target.0,
            dstHost: target.1.cast(),
            ..box_parameters(source.2, target.2, &copy)
        };
        // SAFETY: the caller says that the nodes are of this graph, and that both have as many bytes when it runs.
        unsafe { self.add_copy_of(place, &parameters) }
    }

    unsafe fn add_copy_box(
        &self,
        place: NodePlace<'_>,
        from: Address,
        to: Address,
        copy: &BoxCopy,
    ) -> Option<Result<NodeHandle, Called>> {
        if !is_in_reach(copy) {
            return None;
        }
        // SAFETY: the caller says that the nodes are of this graph, and that the box lies in memory on both sides when it runs.
        Some(unsafe { self.add_copy_of(place, &box_parameters(from, to, copy)) })
    }

    unsafe fn add_set(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        to: Address,
        value: u32,
        value_bytes: usize,
        count: usize,
    ) -> Result<NodeHandle, Called> {
        let parameters = CUDA_MEMSET_NODE_PARAMS {
            dst: to,
            pitch: value_bytes * count,
            value,
            elementSize: value_bytes as c_uint,
            width: count,
            height: 1,
        };
        let (mut node, add, context) = (std::ptr::null_mut(), self.own().add_set, self.context.context);
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and the memory has as many aligned values when
        // it runs.
        let status = unsafe {
            (add.call)(
                &raw mut node,
                graph.cast(),
                after.as_ptr().cast(),
                after.len(),
                &raw const parameters,
                context,
            )
        };
        done(add.name, status)?;
        Ok(node.cast())
    }
}

impl Nvidia {
    /// # Safety
    /// The nodes are of this graph, and the memory is there whenever it runs.
    unsafe fn add_copy_of(
        &self,
        NodePlace { graph, after }: NodePlace<'_>,
        parameters: &CUDA_MEMCPY3D,
    ) -> Result<NodeHandle, Called> {
        let (mut node, add, context) = (std::ptr::null_mut(), self.own().add_copy, self.context.context);
        let (after, count) = (after.as_ptr().cast(), after.len());
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and that the memory is there when it runs.
        let status =
            unsafe { (add.call)(&raw mut node, graph.cast(), after, count, &raw const *parameters, context) };
        done(add.name, status)?;
        Ok(node.cast())
    }
}

fn parameters(call: &LaunchCall) -> CUDA_KERNEL_NODE_PARAMS_v2 {
    let ([groups_x, groups_y, groups_z], [x, y, z]) = (call.groups, call.block);
    CUDA_KERNEL_NODE_PARAMS_v2 {
        func: call.function.cast(),
        gridDimX: groups_x,
        gridDimY: groups_y,
        gridDimZ: groups_z,
        blockDimX: x,
        blockDimY: y,
        blockDimZ: z,
        sharedMemBytes: call.bytes,
        kernelParams: call.arguments,
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    }
}
