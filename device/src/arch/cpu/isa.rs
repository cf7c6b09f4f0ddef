/// The instruction sets for which each kernel has a copy of its code.
///
/// ```
/// use gridwright_device::arch::Isa;
///
/// assert!(Isa::available().contains(&Isa::Baseline));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What the program is compiled for.
    Baseline,
    /// x86-64 with AVX2, FMA, BMI, LZCNT and POPCNT: x86-64-v3.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL on top: x86-64-v4.
    Avx512,
}

impl Isa {
    /// Those that this machine has, the widest last.
    pub fn available() -> &'static [Self] {
        let all = &[Self::Baseline, Self::Avx2, Self::Avx512];
        &all[..1 + usize::from(has_avx2()) + usize::from(has_avx2() && has_avx512())]
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
