//! `__managed__` variables: the host has them at the kernels' address.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUpointer_attribute_enum as Attribute, CUresult};

use crate::alone::alone;
use crate::gpu::{code, context, function, kernel, launch, load};

const NULL: sys::CUstream = std::ptr::null_mut();

/// Adds the parameter to a managed variable.
fn module() -> String {
    kernel("", "cvt.u32.u64 %r1, %a1;\nld.global.u32 %r2, [word];\nadd.u32 %r2, %r2, %r1;\nst.global.u32 [word], %r2;")
        .replace(".visible .entry", ".visible .global .attribute(.managed) .align 4 .u32 word = 7;\n.visible .entry")
}

fn word(address: u64) -> &'static AtomicU32 {
    let pointer = std::ptr::with_exposed_provenance_mut(address as usize);
    // SAFETY: a managed variable of four bytes, which is accessed while its module is loaded.
    unsafe { AtomicU32::from_ptr(pointer) }
}

#[test]
fn host_and_kernels_share_managed_variables() {
    alone("managed::host_and_kernels_share_managed_variables", &[], || {
        let context = context();
        let module = load(&module()).expect("loaded");
        // SAFETY: a loaded module.
        let (address, bytes) =
            unsafe { result::module::get_global(module, c"word".to_owned()) }.expect("there");
        assert_eq!(bytes, 4);
        assert_eq!(word(address).swap(40, Ordering::Relaxed), 7, "its initial value");
        launch(function(module, "k"), 1, 1, 0, NULL, 2).expect("launched");
        context.synchronize().expect("done");
        assert_eq!(word(address).load(Ordering::Relaxed), 42);
        let mut is_managed = 0_u8;
        let mut back = [0_u32];
        // SAFETY: a place for each result; the module isn't used behind its end.
        unsafe {
            let managed = Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED;
            let to = (&raw mut is_managed).cast::<c_void>();
            sys::cuPointerGetAttribute(to, managed, address).result().expect("known");
            result::memcpy_dtoh_sync(&mut back, address).expect("copied");
            sys::cuMemsetD32_v2(address, 5, 1).result().expect("set");
            assert_eq!(code(result::free_sync(address)), CUresult::CUDA_ERROR_INVALID_VALUE, "the module's");
        }
        assert_eq!((is_managed, back), (1, [42]));
        assert_eq!(word(address).load(Ordering::Relaxed), 5, "set when the call returns");
        // SAFETY: nothing of it runs.
        unsafe { result::module::unload(module) }.expect("unloaded");
        // SAFETY: what is refused isn't accessed.
        let gone = unsafe { sys::cuMemsetD32_v2(address, 5, 1) };
        assert_eq!(gone, CUresult::CUDA_ERROR_INVALID_VALUE);
    });
}

#[test]
fn libraries_have_managed_variables() {
    alone("managed::libraries_have_managed_variables", &[], || {
        let _context = context();
        let text = CString::new(module()).expect("no zeros");
        let (none, nothing) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut library = std::ptr::null_mut();
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: a text with a zero behind it, no options, and places for the results.
        unsafe {
            let image = text.as_ptr().cast();
            sys::cuLibraryLoadData(&raw mut library, image, none, nothing, 0, none.cast(), nothing, 0)
                .result()
                .expect("loaded");
            sys::cuLibraryGetManaged(&raw mut address, &raw mut bytes, library, c"word".as_ptr())
                .result()
                .expect("there");
            let absent = sys::cuLibraryGetManaged(&raw mut address, &raw mut bytes, library, c"k".as_ptr());
            assert_eq!(absent, CUresult::CUDA_ERROR_NOT_FOUND);
        }
        assert_eq!((word(address).load(Ordering::Relaxed), bytes), (7, 4));
    });
}
