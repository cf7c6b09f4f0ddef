//! Which of the CPU's instruction sets kernels are compiled for: all, or to save time those of one machine.

use crate::environment::Environment;

/// The instruction sets, as the table of images names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CpuCode {
    All,
    Baseline,
    Avx2,
    Avx512,
}

impl CpuCode {
    /// What a setting says; `None` for a word that it doesn't take.
    pub(super) fn parse(word: &str, environment: &Environment) -> Option<Self> {
        match word {
            "all" => Some(Self::All),
            // A program for another machine isn't run here.
            "native" if environment.get("TARGET") != environment.get("HOST") => Some(Self::All),
            "native" => Some(Self::of_this_machine()),
            _ => None,
        }
    }

    /// The widest that the device of the CPU would take here.
    fn of_this_machine() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! all {
                ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
            }
            if all!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt") {
                let is_wider = all!("avx512f" "avx512bw" "avx512dq" "avx512vl");
                return if is_wider { Self::Avx512 } else { Self::Avx2 };
            }
        }
        Self::Baseline
    }
}
