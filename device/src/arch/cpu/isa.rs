//! One variant of each loop for each instruction set.

use gridwright_core::Isa;

/// Calls the variant of an instruction set that is known when this is compiled: `by_isa!(S::ISA, baseline(…), avx2(…),
/// avx512(…))`.
///
/// By constants rather than a `match`, of which the compiler would compile every arm. It also leaves one caller to each
/// copy of a kernel's closures, which is why they are inlined.
macro_rules! by_isa {
    ($isa:expr, $baseline:expr, $avx2:expr, $avx512:expr) => {
        if const { $isa as u8 == $crate::arch::Isa::Avx512 as u8 } {
            $avx512
        } else if const { $isa as u8 == $crate::arch::Isa::Avx2 as u8 } {
            $avx2
        } else {
            $baseline
        }
    };
}

/// Runs a kernel's copy for an instruction set that is known when the program runs: `ISA` is its number in `$call`.
///
/// What the kernel has no code for is left out when it is compiled, as by [`by_isa`].
macro_rules! in_isa {
    ($kernel:ident, $isa:expr, $call:expr) => {
        $crate::arch::cpu::isa::in_isa!(@copies $kernel, $isa, $call, [
            #[cfg(target_arch = "x86_64")] Avx512,
            #[cfg(target_arch = "x86_64")] Avx2,
            Baseline,
        ])
    };
    (@copies $kernel:ident, $isa:expr, $call:expr, [$($(#[$cfg:meta])? $name:ident,)*]) => {
        match $isa {
            $($(#[$cfg])?
            $crate::arch::Isa::$name => {
                if const { $crate::arch::Isa::$name.is_in($kernel::IMAGES.cpu) } {
                    const ISA: u8 = $crate::arch::Isa::$name as u8;
                    $call
                } else {
                    $crate::arch::cpu::isa::absent($isa)
                }
            })*
            #[cfg(not(target_arch = "x86_64"))]
            other => $crate::arch::cpu::isa::absent(other),
        }
    };
}

/// Panics: the host loads no kernel that has no code for the device.
#[cold]
pub(super) fn absent(isa: Isa) -> ! {
    panic!("a kernel without code for {} was launched", isa.name())
}

/// A trait of closures, with the same method for each instruction set.
///
/// The compiler puts the methods of a type where the type is. A loop and the closure that it calls are so optimised
/// together, and the closure is inlined; a free function would stay with this crate's others, and call it.
///
/// One that begins with `inline` is inlined into the loop over a group's warps, which is compiled with the same instructions. Into
/// code without them, as a kernel's body is, none can be.
macro_rules! by_instruction_set {
    (
        @[$inline:meta] $(#[$doc:meta])*
        $name:ident [$($generics:tt)*] [$($names:tt)*] where F: [$($closure:tt)*],
        fn($body:ident, $($args:tt)*) $(-> $result:ty)? $code:block
    ) => {
        $(#[$doc])*
        pub(super) trait $name<$($generics)*>: Sized {
            /// # Safety
            /// As its caller says.
            unsafe fn baseline($body: Self, $($args)*) $(-> $result)?;

            /// # Safety
            /// As for `baseline`, and this machine has AVX2 and what comes with it.
            unsafe fn avx2($body: Self, $($args)*) $(-> $result)?;

            /// # Safety
            /// As for `baseline`, and this machine has AVX-512 and what comes with it.
            unsafe fn avx512($body: Self, $($args)*) $(-> $result)?;
        }

        impl<F, $($generics)*> $name<$($names)*> for F
        where
            F: $($closure)*,
        {
            #[inline(never)]
            unsafe fn baseline($body: Self, $($args)*) $(-> $result)? $code

            #[cfg_attr(
                target_arch = "x86_64",
                target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")
            )]
            #[$inline]
            unsafe fn avx2($body: Self, $($args)*) $(-> $result)? $code

            #[cfg_attr(
                target_arch = "x86_64",
                target_feature(
                    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl"
                )
            )]
            #[$inline]
            unsafe fn avx512($body: Self, $($args)*) $(-> $result)? $code
        }
    };
    ($(#[$doc:meta])* inline $($code:tt)*) => {
        $crate::arch::cpu::isa::by_instruction_set! { @[inline] $(#[$doc])* $($code)* }
    };
    ($($code:tt)*) => {
        $crate::arch::cpu::isa::by_instruction_set! { @[inline(never)] $($code)* }
    };
}

pub(super) use {by_instruction_set, by_isa, in_isa};
