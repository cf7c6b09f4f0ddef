//! Which of the CPU's instruction sets kernels are compiled for: all, or to save time those of one machine.

use serde_json::Value;

use super::ByTarget;
use crate::diagnostic::Diagnostic;
use crate::discover::Package;
use crate::environment::Environment;

/// Reads one word for all targets, or a table of words by targets' names. The environment's word is for all.
pub(super) fn read(
    from_manifest: Option<&Value>,
    package: &Package,
    environment: &Environment,
    diagnostics: &mut Vec<Diagnostic>,
) -> ByTarget<CpuCode> {
    let code = |source: &str, word: &str, diagnostics: &mut Vec<Diagnostic>| {
        CpuCode::parse(word, environment).unwrap_or_else(|| {
            diagnostics.push(Diagnostic::error(format!(
                "{source}: `{word}` isn't understood: it takes `all` or `native`, for this machine's widest instruction set alone"
            )));
            CpuCode::All
        })
    };
    if let Some(word) = environment.get("GRIDWRIGHT_CPU_CODE") {
        return ByTarget::all(code("GRIDWRIGHT_CPU_CODE", &word.to_string_lossy(), diagnostics));
    }
    let of_value = |source: &str, value: &Value, diagnostics: &mut Vec<Diagnostic>| {
        code(source, value.as_str().unwrap_or_default(), diagnostics)
    };
    ByTarget::read("cpu-code", from_manifest, CpuCode::All, package, diagnostics, of_value)
}

/// The instruction sets, as the table of images names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CpuCode {
    #[default]
    All,
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl CpuCode {
    /// What a setting says; `None` for a word that it doesn't take.
    fn parse(word: &str, environment: &Environment) -> Option<Self> {
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
