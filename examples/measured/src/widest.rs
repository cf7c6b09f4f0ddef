//! Hand-written loops for the widest vectors of the machine, as our kernels get: a peer that is compiled
//! for plain x86-64 would lose by its instruction set.

use std::sync::LazyLock;

/// An instruction set that the machine was seen to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// What the program is compiled for.
    Baseline,
    /// x86-64-v3.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64-v4.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Width {
    /// The widest that the macro has a copy for.
    pub fn of_this_machine() -> Self {
        static WIDTH: LazyLock<Width> = LazyLock::new(Width::detect);
        *WIDTH
    }

    #[cfg(target_arch = "x86_64")]
    fn detect() -> Self {
        macro_rules! all {
            ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        match () {
            () if !all!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt") => Self::Baseline,
            () if !all!("avx512f" "avx512bw" "avx512dq" "avx512vl") => Self::Avx2,
            () => Self::Avx512,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn detect() -> Self {
        Self::Baseline
    }
}

/// Compiles a function once for each [`Width`] and calls the copy for this machine.
#[macro_export]
macro_rules! widest {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        $visibility fn $name($($parameter: $type),*) {
            #[inline(always)]
            fn body($($parameter: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2($($parameter: $type),*) {
                body($($parameter),*);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512($($parameter: $type),*) {
                body($($parameter),*);
            }

            match $crate::widest::Width::of_this_machine() {
                $crate::widest::Width::Baseline => body($($parameter),*),
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `Avx2` means that the machine has each feature that the function enables.
                $crate::widest::Width::Avx2 => unsafe { avx2($($parameter),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `Avx512` means that the machine has each feature that the function enables.
                $crate::widest::Width::Avx512 => unsafe { avx512($($parameter),*) },
            }
        }
    };
}
