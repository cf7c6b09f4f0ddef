use crate::CpuCode;

/// The instruction sets for which each kernel has a copy of its code.
///
/// ```
/// use gridwright_core::{CpuCode, Isa};
///
/// assert!(Isa::Avx2.is_in(CpuCode::All) && !Isa::Avx2.is_in(CpuCode::Baseline));
/// assert_eq!(Isa::Avx512.name(), "avx512");
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
