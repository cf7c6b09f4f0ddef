//! Numbers on NVIDIA, by PTX's instructions.

pub(super) mod float;
pub(crate) mod half;
pub(crate) mod int;
mod unfused;

pub(crate) use unfused::{unfused_mul_f32, unfused_mul_f64};

unsafe extern "C" {
    #[link_name = "llvm.nvvm.reflect"]
    fn reflect(name: *const u8) -> u32;
}

/// The processor that the image is compiled for: 800 is sm_80. It is known when the image is compiled, of which this crate is
/// a part, and not before: branches on it are decided then.
#[inline(always)]
fn version() -> u32 {
    // Not a static: LLVM looks at the text where it finds the call.
    const NAME: *const [u8; 12] = b"__CUDA_ARCH\0";
    // SAFETY: the name of a number, with its end.
    unsafe { reflect(NAME as *const u8) }
}
