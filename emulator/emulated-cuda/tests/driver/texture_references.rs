//! References to textures and surfaces, as programs of CUDA 11 and before bind them.

use std::ffi::CString;

use cudarc::driver::result;
use cudarc::driver::sys::{
    self, CUDA_ARRAY_DESCRIPTOR, CUaddress_mode, CUarray_format, CUfilter_mode, CUmodule, CUresult, CUtexref,
};

use crate::alone::alone;
use crate::gpu::{context, function, kernel, launch, load};
use crate::textures::{BYTES, FLOATS, NULL, SURFACE, make, upload};

fn module(geometry: &str) -> CUmodule {
    let body = format!(
        "mov.b32 %r1, 0f3F800000;
         tex.{geometry}.v4.f32.f32 {{%r2, %r3, %r4, %r5}}, [t, {{{}}}]; st.global.u32 [%a1], %r2;
         mov.b32 %r1, 7; sust.b.1d.b8.trap [s, {{1}}], {{%r1}};",
        if geometry == "1d" { "%r1" } else { "%r1, %r1" }
    );
    let text = kernel("", &body).replacen(".visible", ".global .texref t;\n.global .surfref s;\n.visible", 1);
    load(&text).expect("the PTX is fine")
}

fn texture(module: CUmodule) -> CUtexref {
    let mut reference = std::ptr::null_mut();
    let name = CString::new("t").expect("a name");
    // SAFETY: a reference to write.
    unsafe { sys::cuModuleGetTexRef(&raw mut reference, module, name.as_ptr()) }
        .result()
        .expect("a reference");
    reference
}

/// Binds a surface, runs the kernel, and gives what it sampled.
fn sampled(module: CUmodule) -> f32 {
    let (mut surface, mut bound) = (std::ptr::null_mut(), std::ptr::null_mut());
    let name = CString::new("s").expect("a name");
    let mut found = [0_f32];
    let mut bytes = [0_u8; 4];
    // SAFETY: references and arrays to write; memory that is there, of as many bytes.
    unsafe {
        let array = make([4, 0, 0], BYTES, SURFACE).expect("an array");
        sys::cuModuleGetSurfRef(&raw mut surface, module, name.as_ptr()).result().expect("a reference");
        sys::cuSurfRefSetArray(surface, array, 0).result().expect("bound");
        sys::cuSurfRefGetArray(&raw mut bound, surface).result().expect("bound");
        assert_eq!(bound, array);
        let memory = result::malloc_sync(4).expect("memory");
        launch(function(module, "k"), 1, 1, 0, NULL, memory).expect("a launch");
        result::memcpy_dtoh_sync(&mut found, memory).expect("copied");
        sys::cuMemcpyAtoH_v2(bytes.as_mut_ptr().cast(), array, 0, 4).result().expect("copied");
        assert_eq!(bytes[1], 7);
    }
    found[0]
}

#[test]
fn a_reference_stands_for_what_is_bound() {
    alone("texture_references::a_reference_stands_for_what_is_bound", &[], || {
        let _context = context();
        let module = module("2d");
        let reference = texture(module);
        assert_eq!(texture(module), reference, "the same each time");
        let array = make([2, 2, 0], FLOATS, 0).expect("an array");
        let texels: Vec<u8> = [1.0_f32, 2.0, 3.0, 6.0].iter().flat_map(|texel| texel.to_le_bytes()).collect();
        upload(array, [8, 2, 1], &texels).result().expect("copied");
        let words: Vec<f32> = (0..64).map(|i| i as f32).collect();
        // SAFETY: numbers to write, and memory that is there.
        unsafe {
            sys::cuTexRefSetArray(reference, array, 1).result().expect("bound");
            assert_eq!(sampled(module), 6.0);
            let linear = CUfilter_mode::CU_TR_FILTER_MODE_LINEAR;
            sys::cuTexRefSetFilterMode(reference, linear).result().expect("set");
            assert_eq!(sampled(module), 3.0);
            let mut bound = std::ptr::null_mut();
            sys::cuTexRefGetArray(&raw mut bound, reference).result().expect("bound");
            assert_eq!(bound, array);
            // One and a half times as far as the texture is long, and reflected.
            let mirror = CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR;
            for axis in 0..2 {
                sys::cuTexRefSetAddressMode(reference, axis, mirror).result().expect("set");
            }
            sys::cuTexRefSetFlags(reference, 2).result().expect("set");
            sys::cuTexRefSetFilterMode(reference, CUfilter_mode::CU_TR_FILTER_MODE_POINT)
                .result()
                .expect("set");
            assert_eq!(sampled(module), 6.0);

            let memory = result::malloc_sync(256).expect("memory");
            result::memcpy_htod_sync(memory, &words).expect("copied");
            let plane = CUDA_ARRAY_DESCRIPTOR { Width: 4, Height: 2, Format: FLOATS, NumChannels: 1 };
            sys::cuTexRefSetFlags(reference, 0).result().expect("set");
            sys::cuTexRefSetAddress2D_v3(reference, &plane, memory, 64).result().expect("bound");
            assert_eq!(sampled(module), 17.0);
            assert_eq!(
                sys::cuTexRefSetAddress2D_v3(reference, &plane, memory, 63),
                CUresult::CUDA_ERROR_INVALID_VALUE
            );
            let mut address = 0;
            sys::cuTexRefGetAddress_v2(&raw mut address, reference).result().expect("bound");
            assert_eq!(address, memory);
            assert_eq!(sys::cuTexRefGetArray(&raw mut bound, reference), CUresult::CUDA_ERROR_INVALID_VALUE);
            sys::cuModuleUnload(module).result().expect("unloaded");
            assert_eq!(sys::cuTexRefSetFlags(reference, 0), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    });
}

#[test]
fn rows_of_memory_are_bound_where_textures_begin() {
    alone("texture_references::rows_of_memory_are_bound_where_textures_begin", &[], || {
        let _context = context();
        let module = module("1d");
        let reference = texture(module);
        let words: Vec<f32> = (0..8).map(|i| i as f32).collect();
        // SAFETY: numbers to write, and memory that is there.
        unsafe {
            let memory = result::malloc_sync(32).expect("memory");
            result::memcpy_htod_sync(memory, &words).expect("copied");
            let mut offset = 99;
            sys::cuTexRefSetAddress_v2(&raw mut offset, reference, memory + 8, 24).result().expect("bound");
            assert_eq!((offset, sampled(module)), (8, 1.0), "from where it is aligned");
            let null = std::ptr::null_mut();
            assert_eq!(
                sys::cuTexRefSetAddress_v2(null, reference, memory + 8, 24),
                CUresult::CUDA_ERROR_INVALID_VALUE
            );
            let bytes = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
            sys::cuTexRefSetFormat(reference, bytes, 2).result().expect("set");
            // The second pair of bytes of the first float, which is zero.
            assert_eq!(sampled(module), 0.0);
            let (mut format, mut channels) = (FLOATS, 0);
            sys::cuTexRefGetFormat(&raw mut format, &raw mut channels, reference).result().expect("got");
            assert_eq!((format, channels), (bytes, 2));
        }
    });
}

#[test]
fn a_program_may_make_references_that_no_kernel_has() {
    alone("texture_references::a_program_may_make_references_that_no_kernel_has", &[], || {
        let _context = context();
        let module = module("1d");
        let name = CString::new("k").expect("a name");
        // SAFETY: references and numbers to write.
        unsafe {
            let mut made = std::ptr::null_mut();
            sys::cuTexRefCreate(&raw mut made).result().expect("a reference");
            sys::cuTexRefSetMipmapLevelClamp(made, 1.0, 2.5).result().expect("set");
            let (mut least, mut most) = (0.0, 0.0);
            sys::cuTexRefGetMipmapLevelClamp(&raw mut least, &raw mut most, made).result().expect("got");
            assert_eq!((least, most), (1.0, 2.5));
            let mut colour = [1.0_f32, 2.0, 3.0, 4.0];
            sys::cuTexRefSetBorderColor(made, colour.as_mut_ptr()).result().expect("set");
            let mut found = [0.0_f32; 4];
            sys::cuTexRefGetBorderColor(found.as_mut_ptr(), made).result().expect("got");
            assert_eq!(found, colour);
            sys::cuTexRefDestroy(made).result().expect("destroyed");
            assert_eq!(sys::cuTexRefDestroy(made), CUresult::CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(sys::cuTexRefDestroy(texture(module)), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(
                sys::cuModuleGetTexRef(&raw mut made, module, name.as_ptr()),
                CUresult::CUDA_ERROR_NOT_FOUND
            );
        }
    });
}
