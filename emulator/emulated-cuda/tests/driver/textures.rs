use std::ffi::{c_uint, c_void};

use cudarc::driver::result;
use cudarc::driver::sys::{
    self, CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode,
    CUarray, CUarray_format, CUdevice_attribute, CUfilter_mode, CUmemorytype, CUresourcetype, CUresult,
};

use crate::alone::alone;
use crate::gpu::{context, launch, loaded};

pub(crate) const NULL: sys::CUstream = std::ptr::null_mut();
pub(crate) const SURFACE: c_uint = 2;

pub(crate) fn descriptor(
    extent: [usize; 3],
    format: CUarray_format,
    flags: c_uint,
) -> CUDA_ARRAY3D_DESCRIPTOR {
    let [width, height, depth] = extent;
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: format,
        NumChannels: 1,
        Flags: flags,
    }
}

pub(crate) fn make(extent: [usize; 3], format: CUarray_format, flags: c_uint) -> Result<CUarray, CUresult> {
    let mut array = std::ptr::null_mut();
    // SAFETY: an array to write.
    let status = unsafe { sys::cuArray3DCreate_v2(&raw mut array, &descriptor(extent, format, flags)) };
    if status == CUresult::CUDA_SUCCESS { Ok(array) } else { Err(status) }
}

pub(crate) fn resource(array: CUarray) -> CUDA_RESOURCE_DESC {
    // SAFETY: numbers and null pointers, for which zeros are fine.
    let mut resource: CUDA_RESOURCE_DESC = unsafe { std::mem::zeroed() };
    resource.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    resource
}

pub(crate) fn sampler(filter: CUfilter_mode, flags: c_uint) -> CUDA_TEXTURE_DESC {
    // SAFETY: numbers and enumerations, for which zeros are fine.
    let mut sampler: CUDA_TEXTURE_DESC = unsafe { std::mem::zeroed() };
    sampler.addressMode = [CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3];
    sampler.filterMode = filter;
    sampler.flags = flags;
    sampler
}

pub(crate) fn texture(array: CUarray, sampler: &CUDA_TEXTURE_DESC) -> Result<u64, CUresult> {
    let mut texture = 0;
    // SAFETY: a number to write.
    let status =
        unsafe { sys::cuTexObjectCreate(&raw mut texture, &resource(array), sampler, std::ptr::null()) };
    if status == CUresult::CUDA_SUCCESS { Ok(texture) } else { Err(status) }
}

/// Of whole arrays or memory; the sides are filled in.
pub(crate) fn copied([width, height, depth]: [usize; 3]) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        reserved0: std::ptr::null_mut(),
        srcPitch: width,
        srcHeight: height,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        reserved1: std::ptr::null_mut(),
        dstPitch: width,
        dstHeight: height,
        WidthInBytes: width,
        Height: height,
        Depth: depth,
    }
}

pub(crate) fn upload(array: CUarray, extent: [usize; 3], bytes: &[u8]) -> CUresult {
    let mut copy = copied(extent);
    copy.srcHost = bytes.as_ptr().cast();
    (copy.dstMemoryType, copy.dstArray) = (CUmemorytype::CU_MEMORYTYPE_ARRAY, array);
    // SAFETY: there are as many bytes.
    unsafe { sys::cuMemcpy3DAsync_v2(&copy, NULL) }
}

pub(crate) fn download(array: CUarray, extent: [usize; 3]) -> Vec<u8> {
    let mut bytes = vec![0; extent.iter().product()];
    let mut copy = copied(extent);
    (copy.srcMemoryType, copy.srcArray) = (CUmemorytype::CU_MEMORYTYPE_ARRAY, array);
    copy.dstHost = bytes.as_mut_ptr().cast();
    // SAFETY: there is room for as many bytes.
    unsafe { sys::cuMemcpy3D_v2(&copy) }.result().expect("copied");
    bytes
}

/// Reads the texture whose number is the first word of `p` in the middle of four texels, and writes the result to `p + 8`.
pub(crate) const SAMPLE: &str = "ld.global.u64 %a2, [%a1]; mov.b32 %r1, 0f3F800000;
    tex.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%a2, {%r1, %r1}]; st.global.u32 [%a1+8], %r2;";

pub(crate) const BYTES: CUarray_format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
pub(crate) const FLOATS: CUarray_format = CUarray_format::CU_AD_FORMAT_FLOAT;

#[test]
fn kernels_sample_arrays_and_write_them() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "200")];
    alone("textures::kernels_sample_arrays_and_write_them", &delays, || {
        let _context = context();
        let array = make([2, 2, 0], FLOATS, SURFACE).expect("an array");
        let texels: Vec<u8> = [1.0_f32, 2.0, 3.0, 6.0].iter().flat_map(|texel| texel.to_le_bytes()).collect();
        upload(array, [8, 2, 1], &texels).result().expect("copied");
        assert_eq!(download(array, [8, 2, 1]), texels);
        let linear = sampler(CUfilter_mode::CU_TR_FILTER_MODE_LINEAR, 0);
        let texture = texture(array, &linear).expect("a texture");
        let mut surface = 0;
        // SAFETY: a number to write; memory that is there, of as many bytes.
        unsafe {
            sys::cuSurfObjectCreate(&raw mut surface, &resource(array)).result().expect("a surface");
            let memory = result::malloc_sync(16).expect("memory");
            result::memcpy_htod_sync(memory, &[texture, 0]).expect("copied");
            launch(loaded(&crate::gpu::kernel("", SAMPLE)), 1, 1, 0, NULL, memory).expect("a launch");
            let mut words = [0_u32; 4];
            result::memcpy_dtoh_sync(&mut words, memory).expect("copied");
            assert_eq!(f32::from_bits(words[2]), 3.0);

            // What was written is sampled.
            result::memcpy_htod_sync(memory, &[surface, 0]).expect("copied");
            let write = "ld.global.u64 %a2, [%a1]; mov.u32 %r1, 4; mov.u32 %r2, 1; mov.b32 %r3, 0f41200000;
                sust.b.2d.b32.trap [%a2, {%r1, %r2}], {%r3};";
            launch(loaded(&crate::gpu::kernel("", write)), 1, 1, 0, NULL, memory).expect("a launch");
            result::memcpy_htod_sync(memory, &[texture, 0]).expect("copied");
            launch(loaded(&crate::gpu::kernel("", SAMPLE)), 1, 1, 0, NULL, memory).expect("a launch");
            result::memcpy_dtoh_sync(&mut words, memory).expect("copied");
            assert_eq!(f32::from_bits(words[2]), 4.0);

            sys::cuTexObjectDestroy(texture).result().expect("destroyed");
            sys::cuSurfObjectDestroy(surface).result().expect("destroyed");
            assert_eq!(sys::cuTexObjectDestroy(texture), CUresult::CUDA_ERROR_INVALID_VALUE);
            sys::cuArrayDestroy(array).result().expect("destroyed");
            assert_eq!(sys::cuArrayDestroy(array), CUresult::CUDA_ERROR_INVALID_HANDLE);
            // Its number is nobody's now.
            launch(loaded(&crate::gpu::kernel("", SAMPLE)), 1, 1, 0, NULL, memory).expect("submitted");
            assert_eq!(sys::cuCtxSynchronize(), CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
    });
}

#[test]
fn parts_of_rows_and_planes_are_copied() {
    alone("textures::parts_of_rows_and_planes_are_copied", &[], || {
        let _context = context();
        let array = make([4, 3, 2], BYTES, 0).expect("an array");
        let bytes: Vec<u8> = (0..24).collect();
        upload(array, [4, 3, 2], &bytes).result().expect("copied");
        // Two columns of two rows of the second plane, to memory of the device with gaps.
        // SAFETY: memory that is there, of as many bytes.
        unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            result::memset_d8_sync(memory, 99, 16).expect("set");
            let mut copy = copied([2, 2, 1]);
            (copy.srcMemoryType, copy.srcArray) = (CUmemorytype::CU_MEMORYTYPE_ARRAY, array);
            (copy.srcXInBytes, copy.srcY, copy.srcZ) = (1, 1, 1);
            (copy.dstMemoryType, copy.dstDevice) = (CUmemorytype::CU_MEMORYTYPE_DEVICE, memory);
            (copy.dstXInBytes, copy.dstPitch) = (3, 8);
            sys::cuMemcpy3DAsync_v2(&copy, NULL).result().expect("copied");
            let mut found = [0_u8; 16];
            result::memcpy_dtoh_sync(&mut found, memory).expect("copied");
            let mut expected = [99; 16];
            (expected[3], expected[4], expected[11], expected[12]) = (17, 18, 21, 22);
            assert_eq!(found, expected);

            for wrong in [[3, 0, 0], [0, 2, 0], [0, 0, 2], [usize::MAX, 0, 0]] {
                [copy.srcXInBytes, copy.srcY, copy.srcZ] = wrong;
                assert_eq!(sys::cuMemcpy3DAsync_v2(&copy, NULL), CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            copy.srcXInBytes = 0;
            copy.dstPitch = 4;
            assert_eq!(sys::cuMemcpy3DAsync_v2(&copy, NULL), CUresult::CUDA_ERROR_INVALID_VALUE);
            copy.srcArray = array.byte_add(256);
            assert_eq!(sys::cuMemcpy3DAsync_v2(&copy, NULL), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    });
}

#[test]
fn what_hardware_has_not_is_refused() {
    alone("textures::what_hardware_has_not_is_refused", &[], || {
        let context = context();
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        for extent in [[0, 0, 0], [0, 4, 0], [1 << 20, 0, 0], [4, 1 << 17, 0], [4, 4, 1 << 15]] {
            assert_eq!(make(extent, BYTES, 0), Err(invalid), "{extent:?}");
        }
        assert_eq!(make([65_536, 0, 0], BYTES, SURFACE), Err(invalid));
        make([65_536, 0, 0], BYTES, 0).expect("an array that isn't written");
        let line = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH;
        assert_eq!(context.attribute(line).expect("a number"), 32_768);

        let bytes = make([4, 4, 0], BYTES, 0).expect("an array");
        let integers = sampler(CUfilter_mode::CU_TR_FILTER_MODE_LINEAR, 1);
        assert_eq!(texture(bytes, &integers), Err(invalid), "integers aren't filtered");
        let (mut object, plain) = (0, sampler(CUfilter_mode::CU_TR_FILTER_MODE_POINT, 0));
        // SAFETY: numbers to write; what is refused isn't looked at.
        unsafe {
            let status = sys::cuSurfObjectCreate(&raw mut object, &resource(bytes));
            assert_eq!(status, invalid, "the array wasn't made for that");
            let stale = resource(bytes.cast::<c_void>().byte_add(1 << 32).cast());
            let status = sys::cuTexObjectCreate(&raw mut object, &stale, &plain, std::ptr::null());
            assert_eq!(status, CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    });
}
