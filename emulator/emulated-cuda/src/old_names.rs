//! Functions of older headers: their names, and parameters as those of today have them. Those whose addresses have 32 bits are
//! among the calls that aren't supported.

use std::ffi::{c_char, c_int, c_uint};

use crate::abi::{In, InOut, Out, Text, Untyped};
use crate::memory_operation::Parameters;
use crate::registry::Handle;

also_named! {
    cuGraphInstantiate = graph_exec::cuGraphInstantiate_v2(exec: Out<Handle>, graph: Handle, node: Out<Handle>, log: Out<c_char>, room: usize);
    cuCtxCreate = context::cuCtxCreate_v2(context: Out<Handle>, flags: c_uint, device: c_int);
    cuCtxDestroy = teardown::cuCtxDestroy_v2(context: Handle);
    cuCtxPopCurrent = context::cuCtxPopCurrent_v2(context: Out<Handle>);
    cuCtxPushCurrent = context::cuCtxPushCurrent_v2(context: Handle);
    cuDevicePrimaryCtxRelease = teardown::cuDevicePrimaryCtxRelease_v2(device: c_int);
    cuDevicePrimaryCtxReset = teardown::cuDevicePrimaryCtxReset_v2(device: c_int);
    cuDevicePrimaryCtxSetFlags = device::cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint);
    cuEventDestroy = event::cuEventDestroy_v2(event: Handle);
    cuLinkAddData = link::cuLinkAddData_v2(link: Handle, kind: c_int, data: In<u8>, size: usize, name: Text, count: c_uint, options: InOut<c_int>, values: InOut<Untyped>);
    cuLinkAddFile = link::cuLinkAddFile_v2(link: Handle, kind: c_int, path: Text, count: c_uint, options: InOut<c_int>, values: InOut<Untyped>);
    cuLinkCreate = link::cuLinkCreate_v2(count: c_uint, options: InOut<c_int>, values: InOut<Untyped>, link: Out<Handle>);
    cuMemHostRegister = host_memory::cuMemHostRegister_v2(address: Untyped, bytes: usize, flags: c_uint);
    cuMemAllocHost = host_memory::cuMemAllocHost_v2(address: Out<usize>, bytes: usize);
    cuStreamBatchMemOp[ptsz] = memory_operation::cuStreamBatchMemOp_v2(
        stream: Handle, count: c_uint, operations: InOut<Parameters>, flags: c_uint
    );
    cuStreamWaitValue32[ptsz] = memory_operation::cuStreamWaitValue32_v2(stream: Handle, address: u64, value: u32, flags: c_uint);
    cuStreamWaitValue64[ptsz] = memory_operation::cuStreamWaitValue64_v2(stream: Handle, address: u64, value: u64, flags: c_uint);
    cuStreamWriteValue32[ptsz] = memory_operation::cuStreamWriteValue32_v2(stream: Handle, address: u64, value: u32, flags: c_uint);
    cuStreamWriteValue64[ptsz] = memory_operation::cuStreamWriteValue64_v2(stream: Handle, address: u64, value: u64, flags: c_uint);
    cuStreamDestroy = stream::cuStreamDestroy_v2(stream: Handle);
}
