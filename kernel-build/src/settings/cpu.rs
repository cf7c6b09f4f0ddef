//! Which of the CPU's instruction sets kernels are compiled for: all, or to save time those of one machine.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::discover::Package;
use crate::environment::Environment;

/// The setting, as messages name it.
const SETTING: &str = "[package.metadata.gridwright] cpu-code";

/// What the kernels of each target of a package have code for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CpuCodes {
    /// That of targets which aren't named.
    otherwise: CpuCode,
    named: BTreeMap<String, CpuCode>,
}

impl CpuCodes {
    /// Reads one word for all targets, or a table of words by targets' names. The environment's word is for all.
    pub(super) fn read(
        from_manifest: Option<&Value>,
        package: &Package,
        environment: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut code = |source: &str, word: &str| {
            CpuCode::parse(word, environment).unwrap_or_else(|| {
                diagnostics.push(Diagnostic::error(format!(
                    "{source}: `{word}` isn't understood: it takes `all` or `native`, for this machine's widest instruction set alone"
                )));
                CpuCode::All
            })
        };
        if let Some(word) = environment.get("GRIDWRIGHT_CPU_CODE") {
            return Self {
                otherwise: code("GRIDWRIGHT_CPU_CODE", &word.to_string_lossy()),
                ..Self::default()
            };
        }
        let Some(Value::Object(words)) = from_manifest else {
            let word = from_manifest.map(|word| word.as_str().unwrap_or_default());
            return Self {
                otherwise: word.map(|word| code(SETTING, word)).unwrap_or_default(),
                ..Self::default()
            };
        };
        let named = words.iter().map(|(target, word)| {
            let code = code(&format!("{SETTING}.{target}"), word.as_str().unwrap_or_default());
            (target.clone(), code)
        });
        let codes = Self { named: named.collect(), ..Self::default() };
        let unknown = |name: &&String| !package.targets.iter().any(|target| target.name == **name);
        diagnostics.extend(codes.named.keys().filter(unknown).map(|name| {
            Diagnostic::warning(format!("{SETTING}: `{}` has no target `{name}`", package.name))
        }));
        codes
    }

    /// That of a target by its name.
    pub(crate) fn of(&self, target: &str) -> CpuCode {
        self.named.get(target).copied().unwrap_or(self.otherwise)
    }
}

/// The instruction sets, as the table of images names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CpuCode {
    #[default]
    All,
    Baseline,
    Avx2,
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
