//! Copies of boxes, as CUDA's driver takes them.

use cudarc::driver::sys::{CUDA_MEMCPY3D, CUmemorytype};

use crate::backend::gpu::driver::handles::Address;
use crate::submission::BoxCopy;

/// The largest distance of two rows that every device copies, `CU_DEVICE_ATTRIBUTE_MAX_PITCH`.
const MOST_PITCH: usize = i32::MAX as usize;

/// Whether one call of the driver's copies the box.
pub(super) fn is_in_reach(copy: &BoxCopy) -> bool {
    [copy.from, copy.to].iter().all(|side| side.pitch <= MOST_PITCH)
}

/// A copy between memory of a device.
pub(super) fn box_parameters(from: Address, to: Address, copy: &BoxCopy) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcHost: std::ptr::null(),
        srcDevice: from + copy.from.first as Address,
        srcArray: std::ptr::null_mut(),
        reserved0: std::ptr::null_mut(),
        srcPitch: copy.from.pitch,
        srcHeight: copy.from.height,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstHost: std::ptr::null_mut(),
        dstDevice: to + copy.to.first as Address,
        dstArray: std::ptr::null_mut(),
        reserved1: std::ptr::null_mut(),
        dstPitch: copy.to.pitch,
        dstHeight: copy.to.height,
        WidthInBytes: copy.row,
        Height: copy.rows,
        Depth: copy.planes,
    }
}
