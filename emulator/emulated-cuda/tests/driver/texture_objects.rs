//! Arrays of all kinds and textures of memory, levels of detail and parts of arrays.

use cudarc::driver::result;
use cudarc::driver::sys::{
    self, CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC,
    CUDA_TEXTURE_DESC, CUarray_format, CUfilter_mode, CUmipmappedArray, CUresourceViewFormat, CUresourcetype,
    CUresult,
};

use crate::alone::alone;
use crate::gpu::{context, kernel, launch, loaded};
use crate::textures::{BYTES, FLOATS, NULL, SURFACE, descriptor, download, make, resource, sampler, texture};

const LAYERED: u32 = 1;
const CUBE: u32 = 4;
const GATHER: u32 = 8;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const POINT: CUfilter_mode = CUfilter_mode::CU_TR_FILTER_MODE_POINT;
const LINEAR: CUfilter_mode = CUfilter_mode::CU_TR_FILTER_MODE_LINEAR;
const HALVES: CUarray_format = CUarray_format::CU_AD_FORMAT_HALF;

/// What a kernel leaves in `%r1` of an object, which is `%a2`.
pub(crate) fn run(object: u64, body: &str) -> u32 {
    let text = kernel("", &format!("ld.global.u64 %a2, [%a1];\n{body}\nst.global.u32 [%a1+8], %r1;"));
    let mut words = [0_u32; 4];
    // SAFETY: memory that is there, of as many bytes.
    unsafe {
        let memory = result::malloc_sync(16).expect("memory");
        result::memcpy_htod_sync(memory, &[object, 0]).expect("copied");
        launch(loaded(&text), 1, 1, 0, NULL, memory).expect("a launch");
        result::memcpy_dtoh_sync(&mut words, memory).expect("copied");
        result::free_sync(memory).expect("freed");
    }
    words[2]
}

/// The texel of a line or a plane, as a float.
fn texel(texture: u64, geometry: &str, at: &str) -> f32 {
    f32::from_bits(run(
        texture,
        &format!("tex.{geometry}.v4.f32.s32 {{%r1, %r2, %r3, %r4}}, [%a2, {{{at}}}];"),
    ))
}

fn described(array: sys::CUarray) -> ([usize; 3], CUarray_format, u32) {
    let mut found = descriptor([0; 3], BYTES, 0);
    // SAFETY: a descriptor to write.
    unsafe { sys::cuArray3DGetDescriptor_v2(&raw mut found, array) }.result().expect("described");
    ([found.Width, found.Height, found.Depth], found.Format, found.Flags)
}

fn texture_of(
    resource: &CUDA_RESOURCE_DESC,
    sampler: &CUDA_TEXTURE_DESC,
    view: Option<&CUDA_RESOURCE_VIEW_DESC>,
) -> Result<u64, CUresult> {
    let mut texture = 0;
    let view = view.map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: a number to write, and descriptors.
    let status = unsafe { sys::cuTexObjectCreate(&raw mut texture, resource, sampler, view) };
    if status == CUresult::CUDA_SUCCESS { Ok(texture) } else { Err(status) }
}

fn empty() -> CUDA_RESOURCE_DESC {
    resource(std::ptr::null_mut())
}

#[test]
fn arrays_are_what_they_were_made_as_and_are_counted() {
    alone("texture_objects::arrays_are_what_they_were_made_as_and_are_counted", &[], || {
        let _context = context();
        let before = result::mem_get_info().expect("memory").0;
        for (extent, flags) in [
            ([64, 0, 0], SURFACE),
            ([64, 32, 0], GATHER),
            ([64, 32, 4], 0),
            ([64, 0, 5], LAYERED),
            ([64, 32, 5], LAYERED | SURFACE),
            ([32, 32, 6], CUBE),
            ([32, 32, 18], CUBE | LAYERED),
        ] {
            let array = make(extent, HALVES, flags).expect("an array");
            assert_eq!(described(array), (extent, HALVES, flags));
            let bytes = 2 * extent.iter().map(|size| size.max(&1)).product::<usize>();
            assert_eq!(result::mem_get_info().expect("memory").0, before - bytes);
            // SAFETY: a descriptor to write.
            unsafe {
                let mut flat = CUDA_ARRAY_DESCRIPTOR { Width: 0, Height: 0, Format: BYTES, NumChannels: 0 };
                sys::cuArrayGetDescriptor_v2(&raw mut flat, array).result().expect("described");
                assert_eq!((flat.Width, flat.Height, flat.Format), (extent[0], extent[1], HALVES));
                sys::cuArrayDestroy(array).result().expect("destroyed");
                assert_eq!(
                    sys::cuArrayGetDescriptor_v2(&raw mut flat, array),
                    CUresult::CUDA_ERROR_INVALID_HANDLE
                );
            }
            assert_eq!(result::mem_get_info().expect("memory").0, before);
        }
        for (extent, flags) in [
            ([32, 16, 6], CUBE),
            ([32, 32, 12], CUBE),
            ([32, 32, 7], CUBE | LAYERED),
            ([32, 0, 0], GATHER),
            ([40_000, 4, 0], GATHER),
            ([4, 0, 4_000], LAYERED),
        ] {
            assert_eq!(make(extent, HALVES, flags), Err(INVALID), "{extent:?} {flags}");
        }
        assert_eq!(make([4, 4, 0], HALVES, 0x10), Err(CUresult::CUDA_ERROR_NOT_SUPPORTED));
    });
}

#[test]
fn rows_are_copied_to_arrays_and_back() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "200")];
    alone("texture_objects::rows_are_copied_to_arrays_and_back", &delays, || {
        let _context = context();
        let (first, second) =
            (make([8, 0, 0], BYTES, 0).expect("one"), make([8, 0, 0], BYTES, 0).expect("another"));
        let bytes: Vec<u8> = (1..=8).collect();
        let mut found = [0_u8; 8];
        // SAFETY: memory that is there, of as many bytes.
        unsafe {
            let memory = result::malloc_sync(8).expect("memory");
            sys::cuMemcpyHtoA_v2(first, 0, bytes.as_ptr().cast(), 8).result().expect("copied");
            sys::cuMemcpyHtoAAsync_v2(second, 2, bytes.as_ptr().cast(), 6, NULL).result().expect("copied");
            sys::cuMemcpyAtoA_v2(second, 0, first, 6, 2).result().expect("copied");
            sys::cuMemcpyAtoD_v2(memory, second, 0, 8).result().expect("copied");
            sys::cuMemcpyDtoA_v2(first, 4, memory, 4).result().expect("copied");
            sys::cuMemcpyAtoH_v2(found.as_mut_ptr().cast(), first, 0, 8).result().expect("copied");
            assert_eq!(found, [1, 2, 3, 4, 7, 8, 1, 2]);
            sys::cuMemcpyAtoHAsync_v2(found.as_mut_ptr().cast(), second, 0, 8, NULL)
                .result()
                .expect("copied");
            assert_eq!(found, [7, 8, 1, 2, 3, 4, 5, 6]);
            for (offset, count) in [(1, 8), (9, 1), (usize::MAX, 2)] {
                assert_eq!(sys::cuMemcpyAtoD_v2(memory, first, offset, count), INVALID);
            }
            assert_eq!(
                sys::cuMemcpyAtoD_v2(memory, first.byte_add(1 << 16), 0, 1),
                CUresult::CUDA_ERROR_INVALID_HANDLE
            );
        }
    });
}

#[test]
fn memory_is_read_as_a_texture() {
    alone("texture_objects::memory_is_read_as_a_texture", &[], || {
        let _context = context();
        let words: Vec<f32> = (0..64).map(|i| i as f32).collect();
        // SAFETY: memory that is there, of as many bytes; the fields are those of the kind.
        unsafe {
            let memory = result::malloc_sync(256).expect("memory");
            result::memcpy_htod_sync(memory, &words).expect("copied");
            let mut line = empty();
            line.resType = CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
            line.res.linear.devPtr = memory;
            line.res.linear.format = FLOATS;
            line.res.linear.numChannels = 1;
            line.res.linear.sizeInBytes = 32;
            let point = sampler(POINT, 0);
            let texture = texture_of(&line, &point, None).expect("a texture");
            assert_eq!(texel(texture, "1d", "7"), 7.0);
            assert_eq!(texel(texture, "1d", "8"), 0.0, "beyond the end");
            line.res.linear.sizeInBytes = 1 << 20;
            assert_eq!(texture_of(&line, &point, None), Err(INVALID));
            line.res.linear.sizeInBytes = 32;
            line.res.linear.devPtr = memory + 4;
            assert_eq!(texture_of(&line, &point, None), Err(INVALID), "not where textures begin");

            let mut plane = empty();
            plane.resType = CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
            plane.res.pitch2D.devPtr = memory;
            plane.res.pitch2D.format = FLOATS;
            plane.res.pitch2D.numChannels = 2;
            plane.res.pitch2D.width = 3;
            plane.res.pitch2D.height = 2;
            plane.res.pitch2D.pitchInBytes = 64;
            let texture = texture_of(&plane, &sampler(LINEAR, 0), None).expect("a texture");
            let tex = "mov.b32 %r1, 0f3F800000; tex.2d.v4.f32.f32 {%r2, %r1, %r3, %r4}, [%a2, {%r1, %r1}];";
            assert_eq!(f32::from_bits(run(texture, tex)), (1.0 + 3.0 + 17.0 + 19.0) / 4.0);
            let mut found = empty();
            sys::cuTexObjectGetResourceDesc(&raw mut found, texture).result().expect("described");
            assert_eq!((found.resType, found.res.pitch2D.pitchInBytes), (plane.resType, 64));
            let mut view: CUDA_RESOURCE_VIEW_DESC = std::mem::zeroed();
            assert_eq!(
                sys::cuTexObjectGetResourceViewDesc(&raw mut view, texture),
                INVALID,
                "none was given"
            );
            for pitch in [16, 65, 1 << 20] {
                plane.res.pitch2D.pitchInBytes = pitch;
                assert_eq!(texture_of(&plane, &point, None), Err(INVALID));
            }
            result::free_sync(memory).expect("freed");
            let text = kernel(
                "",
                "ld.global.u64 %a2, [%a1]; mov.b32 %r1, 0; tex.2d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%a2, {%r1, %r1}];",
            );
            let memory = result::malloc_sync(8).expect("memory");
            result::memcpy_htod_sync(memory, &[texture]).expect("copied");
            launch(loaded(&text), 1, 1, 0, NULL, memory).expect("submitted");
            assert_eq!(sys::cuCtxSynchronize(), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
    });
}

#[test]
fn descriptors_of_objects_are_given_back() {
    alone("texture_objects::descriptors_of_objects_are_given_back", &[], || {
        let _context = context();
        let array = make([4, 4, 0], BYTES, SURFACE).expect("an array");
        let mut asked = sampler(LINEAR, 2);
        (asked.maxAnisotropy, asked.mipmapLevelBias, asked.borderColor) = (8, 0.5, [1.0, 2.0, 3.0, 4.0]);
        let texture = texture(array, &asked).expect("a texture");
        // SAFETY: numbers and enumerations, for which zeros are fine; descriptors to write.
        unsafe {
            let mut found: CUDA_TEXTURE_DESC = std::mem::zeroed();
            sys::cuTexObjectGetTextureDesc(&raw mut found, texture).result().expect("described");
            assert_eq!((found.flags, found.maxAnisotropy, found.mipmapLevelBias), (2, 8, 0.5));
            assert_eq!((found.filterMode, found.borderColor), (LINEAR, asked.borderColor));
            let mut surface = 0;
            sys::cuSurfObjectCreate(&raw mut surface, &resource(array)).result().expect("a surface");
            let mut found = empty();
            sys::cuSurfObjectGetResourceDesc(&raw mut found, surface).result().expect("described");
            assert_eq!(found.res.array.hArray, array);
            assert_eq!(sys::cuTexObjectGetTextureDesc(std::ptr::null_mut(), surface), INVALID);
            assert_eq!(sys::cuTexObjectDestroy(surface), INVALID, "a surface isn't a texture");
            sys::cuSurfObjectDestroy(surface).result().expect("destroyed");
            assert_eq!(sys::cuSurfObjectGetResourceDesc(&raw mut found, surface), INVALID);
        }
    });
}

fn mipmapped(of: CUDA_ARRAY3D_DESCRIPTOR, levels: u32) -> CUmipmappedArray {
    let mut array = std::ptr::null_mut();
    // SAFETY: an array to write.
    unsafe { sys::cuMipmappedArrayCreate(&raw mut array, &of, levels) }.result().expect("an array");
    array
}

#[test]
fn levels_of_detail_are_arrays_and_are_sampled_by_number() {
    alone("texture_objects::levels_of_detail_are_arrays_and_are_sampled_by_number", &[], || {
        let _context = context();
        let before = result::mem_get_info().expect("memory").0;
        let array = mipmapped(descriptor([4, 4, 0], FLOATS, SURFACE), 9);
        assert_eq!(result::mem_get_info().expect("memory").0, before - 4 * (16 + 4 + 1));
        // SAFETY: arrays to write; memory of as many bytes.
        unsafe {
            let mut level = std::ptr::null_mut();
            for (number, size) in [(0, 4_usize), (1, 2), (2, 1)] {
                sys::cuMipmappedArrayGetLevel(&raw mut level, array, number).result().expect("a level");
                assert_eq!(described(level), ([size, size, 0], FLOATS, SURFACE));
                let texels = vec![number as f32; size * size];
                sys::cuMemcpyHtoA_v2(level, 0, texels.as_ptr().cast(), 4 * size * size)
                    .result()
                    .expect("copied");
                assert_eq!(sys::cuArrayDestroy(level), INVALID, "it goes with the others");
            }
            assert_eq!(sys::cuMipmappedArrayGetLevel(&raw mut level, array, 3), INVALID);
            let mut all = empty();
            all.resType = CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            all.res.mipmap.hMipmappedArray = array;
            let mut asked = sampler(POINT, 2);
            (asked.mipmapFilterMode, asked.maxMipmapLevelClamp) = (LINEAR, 8.0);
            let texture = texture_of(&all, &asked, None).expect("a texture");
            let tex = "mov.b32 %r1, 0f3FA00000; tex.level.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%a2, {%r1, %r1}], %r1;";
            assert_eq!(f32::from_bits(run(texture, tex)), 1.25);
            asked.maxMipmapLevelClamp = 0.5;
            let clamped = texture_of(&all, &asked, None).expect("a texture");
            assert_eq!(f32::from_bits(run(clamped, tex)), 0.5);
            let mut view: CUDA_RESOURCE_VIEW_DESC = std::mem::zeroed();
            (view.width, view.height, view.firstMipmapLevel, view.lastMipmapLevel) = (2, 2, 1, 2);
            view.format = CUresourceViewFormat::CU_RES_VIEW_FORMAT_UINT_1X32;
            asked.filterMode = POINT;
            let part = texture_of(&all, &asked, Some(&view)).expect("a texture");
            let tex = "mov.b32 %r1, 0; tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%a2, {%r1, %r1}];";
            assert_eq!(run(part, tex), 1.0_f32.to_bits());
            view.width = 4;
            assert_eq!(texture_of(&all, &asked, Some(&view)), Err(INVALID));
            sys::cuMipmappedArrayDestroy(array).result().expect("destroyed");
            assert_eq!(sys::cuMipmappedArrayDestroy(array), CUresult::CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(sys::cuArrayDestroy(level), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
        assert_eq!(result::mem_get_info().expect("memory").0, before);
    });
}

#[test]
fn faces_of_a_cube_are_written_and_read() {
    alone("texture_objects::faces_of_a_cube_are_written_and_read", &[], || {
        let _context = context();
        let array = make([1, 1, 6], FLOATS, CUBE | SURFACE).expect("an array");
        let mut surface = 0;
        // SAFETY: a number to write.
        unsafe { sys::cuSurfObjectCreate(&raw mut surface, &resource(array)) }.result().expect("a surface");
        run(surface, "mov.b32 %r1, 0f40A00000; sust.b.a2d.b32.trap [%a2, {3, 0, 0, 0}], {%r1};");
        let texture = texture(array, &sampler(LINEAR, 2)).expect("a texture");
        let tex = "mov.b32 %r1, 0f00000000; mov.b32 %r2, 0fBF800000; tex.cube.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%a2, {%r1, %r2, %r1, %r1}];";
        assert_eq!(f32::from_bits(run(texture, tex)), 5.0);
        assert_eq!(download(array, [4, 1, 6])[12..16], 5.0_f32.to_le_bytes());
    });
}
