//! What graphs of CUDA's driver are made of.

use std::ffi::c_uint;

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUmemorytype};
use gridwright_core::LaunchAttributes;

use super::Nvidia;
use super::attributes::List;
use crate::backend::gpu::driver::handles::{Address, ExecHandle, NodeHandle};
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::vendor::{CopyEnd, GraphNodes, LaunchCall, NodePlace};

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
        NodePlace { graph, after }: NodePlace<'_>,
        from: CopyEnd,
        to: CopyEnd,
        bytes: usize,
    ) -> Result<NodeHandle, Called> {
        let parts = |end| match end {
            CopyEnd::Host(host) => (CUmemorytype::CU_MEMORYTYPE_HOST, host, 0),
            CopyEnd::Device(device) => (CUmemorytype::CU_MEMORYTYPE_DEVICE, std::ptr::null_mut(), device),
        };
        let (source, target) = (parts(from), parts(to));
        let parameters = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: source.0,
            srcHost: source.1.cast_const().cast(),
            srcDevice: source.2,
            srcArray: std::ptr::null_mut(),
            reserved0: std::ptr::null_mut(),
            srcPitch: bytes,
            srcHeight: 1,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: target.0,
            dstHost: target.1.cast(),
            dstDevice: target.2,
            dstArray: std::ptr::null_mut(),
            reserved1: std::ptr::null_mut(),
            dstPitch: bytes,
            dstHeight: 1,
            WidthInBytes: bytes,
            Height: 1,
            Depth: 1,
        };
        let (mut node, add, context) = (std::ptr::null_mut(), self.own().add_copy, self.context.context);
        // SAFETY: a node to write; the caller says that the nodes are of this graph, and that both have as many bytes when it runs.
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
