use gridwright_core::CpuCode;

/// The instruction sets for which each kernel has a copy of its code.
///
/// ```
/// use gridwright_device::arch::Isa;
///
/// assert!(Isa::available().contains(&Isa::Baseline));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// The instruction set that the program is compiled for.
    Baseline,
    /// x86-64 with AVX2, FMA, BMI, LZCNT and POPCNT: x86-64-v3.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL on top: x86-64-v4.
    Avx512,
}

impl Isa {
    /// The instruction sets that this machine has, the widest last.
    pub fn available() -> &'static [Self] {
        let all = &[Self::Baseline, Self::Avx2, Self::Avx512];
        &all[..1 + usize::from(has_avx2()) + usize::from(has_avx2() && has_avx512())]
    }

    /// Whether kernels with such code have a copy for this instruction set.
    pub const fn is_in(self, code: CpuCode) -> bool {
        match code {
            CpuCode::All => true,
            CpuCode::Baseline => matches!(self, Self::Baseline),
            CpuCode::Avx2 => matches!(self, Self::Avx2),
            CpuCode::Avx512 => matches!(self, Self::Avx512),
        }
    }

    /// The name that `GRIDWRIGHT_CPU_ISA` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    all!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    all!("avx512f" "avx512bw" "avx512dq" "avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

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
macro_rules! by_instruction_set {
    (
        $(#[$doc:meta])*
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
            #[inline(never)]
            unsafe fn avx2($body: Self, $($args)*) $(-> $result)? $code

            #[cfg_attr(
                target_arch = "x86_64",
                target_feature(
                    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl"
                )
            )]
            #[inline(never)]
            unsafe fn avx512($body: Self, $($args)*) $(-> $result)? $code
        }
    };
}

pub(super) use {by_instruction_set, by_isa, in_isa};
