//! One copy of a loop for each instruction set.

use crate::cpu::Isa;

#[cfg(target_arch = "x86_64")]
pub(crate) const AVX2: u8 = Isa::Avx2 as u8;
#[cfg(target_arch = "x86_64")]
pub(crate) const AVX512: u8 = Isa::Avx512 as u8;

/// A loop and what it works on.
pub(crate) trait Loop {
    /// What the loop gives.
    type Output;

    /// Runs the loop, by instructions of `ISA`. It is `#[inline(always)]`, as is what it calls that should be compiled for `ISA`.
    ///
    /// # Safety
    /// This machine has `ISA`, and what the loop's maker promises holds.
    unsafe fn run<const ISA: u8>(self) -> Self::Output;
}

/// Runs the loop's copy for an instruction set.
///
/// # Safety
/// This machine has it, and what the loop's maker promises holds.
pub(crate) unsafe fn run_in<L: Loop>(isa: Isa, code: L) -> L::Output {
    // SAFETY: as the caller says.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512(code),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2(code),
            _ => code.run::<{ Isa::Baseline as u8 }>(),
        }
    }
}

/// # Safety
/// As for [`run_in`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn avx2<L: Loop>(code: L) -> L::Output {
    // SAFETY: as the caller says.
    unsafe { code.run::<AVX2>() }
}

/// # Safety
/// As for [`run_in`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn avx512<L: Loop>(code: L) -> L::Output {
    // SAFETY: as the caller says.
    unsafe { code.run::<AVX512>() }
}
