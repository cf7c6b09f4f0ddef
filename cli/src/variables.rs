//! The environment variables that Gridwright reads.

/// Reader of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Programs, when they run.
    Program,
    /// `gridwright-build`, when a program is built.
    Build,
    /// The emulated drivers, or the project's own tests and benches.
    Tests,
}

pub(crate) const PREFIX: &str = "GRIDWRIGHT_";

use Reader::{Build, Program, Tests};

/// All variables, without [`PREFIX`].
const VARIABLES: &[(&str, Reader)] = &[
    ("DEVICE", Program),
    ("CPU_ISA", Program),
    ("CPU_THREADS", Program),
    ("PRINT_BYTES", Program),
    ("LOG", Program),
    ("COMM_CHECKS", Program),
    ("COMM_ENGINE", Program),
    ("COMM_TIME_LIMIT_S", Program),
    ("MPI_LIBRARY", Program),
    ("NCCL_LIBRARY", Program),
    ("RCCL_LIBRARY", Program),
    ("EMULATOR_CHECKS", Program),
    ("EMULATOR_APPROXIMATIONS", Program),
    ("EMULATOR_COUNTS", Program),
    ("ARCHITECTURES", Build),
    ("CPU_CODE", Build),
    ("DEBUG_CHECKS", Build),
    ("MACHINE_CODE", Build),
    ("NOTES", Build),
    ("TEST_KERNELS", Build),
    ("PTXAS", Build),
    ("TOOLCHAIN", Build),
    ("RUST_SRC", Build),
    ("SKIP_DEVICE", Build),
    ("NO_MATRIX_UNITS", Build),
    ("REQUIRE_DEVICE", Build),
    ("INNER", Build),
    ("AMD_EMULATOR", Tests),
    ("BLESS", Tests),
    ("EMULATOR_ARCHITECTURE", Tests),
    ("EMULATOR_CACHE", Tests),
    ("EMULATOR_CONCURRENT_MANAGED_ACCESS", Tests),
    ("EMULATOR_CUDA", Tests),
    ("EMULATOR_DELAY_US", Tests),
    ("EMULATOR_DEVICES", Tests),
    ("EMULATOR_EXECUTE", Tests),
    ("EMULATOR_FINDINGS", Tests),
    ("EMULATOR_HIP", Tests),
    ("EMULATOR_INSTRUCTION_LIMIT", Tests),
    ("EMULATOR_MEMORY", Tests),
    ("EMULATOR_NCCL_PATIENCE_MS", Tests),
    ("EMULATOR_PATIENCE_S", Tests),
    ("EMULATOR_STRICT_FREE", Tests),
    ("EMULATOR_POOLS", Tests),
    ("EMULATOR_REGISTERS", Tests),
    ("EMULATOR_UNKNOWN", Tests),
    ("FEATURES", Tests),
    ("HIP_RUNTIME", Tests),
    ("MATH_BOUNDS", Tests),
    ("MATH_INPUTS", Tests),
    ("MATH_RESULTS", Tests),
    ("MATH_SUBNORMALS", Tests),
    ("MPIRUN", Tests),
    ("NUMPY", Tests),
    ("PEERS_NUMBA", Tests),
    ("PEERS_TAICHI", Tests),
    ("PEERS_WARP", Tests),
    ("PYTHON", Tests),
    ("RACES_STANDARD", Tests),
    ("RACES_THRUST_OPENMP", Tests),
    ("RACES_THRUST_TBB", Tests),
    ("REAL_NCCL", Tests),
    ("REQUIRE_CUDA", Tests),
    ("REQUIRE_HIP", Tests),
    ("REQUIRE_MPI", Tests),
    ("TEST_COMM_CASES", Tests),
    ("TEST_COMM_DEVICES", Tests),
];

/// Who reads a variable of this name; `None` if nobody does.
pub(crate) fn reader(name: &str) -> Option<Reader> {
    let name = name.strip_prefix(PREFIX)?;
    VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, reader)| *reader)
}

/// The variable that is most like a name that nobody reads, if any is like it.
pub(crate) fn like(name: &str) -> Option<String> {
    let name = name.strip_prefix(PREFIX)?;
    let known = VARIABLES.iter().filter(|(_, reader)| *reader != Tests);
    let (distance, nearest) = known.map(|(known, _)| (strsim::levenshtein(name, known), *known)).min()?;
    (distance <= nearest.len() / 3 + 1).then(|| format!("{PREFIX}{nearest}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::{PREFIX, Reader, VARIABLES, like, reader};

    #[test]
    fn each_variable_that_the_sources_name_is_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut named = BTreeSet::new();
        for folder in [
            "host/src",
            "device/src",
            "kernel-math/src",
            "kernel-build/src",
            "kernel-derive/src",
            "emulator",
            "comm",
            "xtask/src",
            "examples/tests",
            "tests",
        ] {
            collect(&root.join(folder), &mut named);
        }
        assert!(named.contains("GRIDWRIGHT_DEVICE") && named.contains("GRIDWRIGHT_RUST_SRC"), "{named:?}");
        // Those of a few tests of the drivers, which hand them from one process to another.
        named.retain(|name| !name.starts_with("GRIDWRIGHT_TEST_") || reader(name).is_some());
        let unknown: Vec<_> = named.iter().filter(|name| reader(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let unread = VARIABLES.iter().filter(|(name, _)| !named.contains(&format!("{PREFIX}{name}")));
        assert_eq!(unread.map(|(name, _)| *name).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    /// Strings that are names of variables.
    fn collect(folder: &Path, named: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, named);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for (at, _) in text.match_indices(&format!("\"{PREFIX}")) {
                    let rest = &text[at + 1..];
                    let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap();
                    if rest[end..].starts_with('"') && end > PREFIX.len() {
                        named.insert(rest[..end].to_owned());
                    }
                }
            }
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_told_from_something_else() {
        assert_eq!(reader("GRIDWRIGHT_DEVICE"), Some(Reader::Program));
        assert_eq!(like("GRIDWRIGHT_DEVCE").as_deref(), Some("GRIDWRIGHT_DEVICE"));
        assert_eq!(like("GRIDWRIGHT_ARCHITECTURE").as_deref(), Some("GRIDWRIGHT_ARCHITECTURES"));
        assert_eq!(like("GRIDWRIGHT_SOMETHING_ELSE_ALTOGETHER"), None);
        assert_eq!(reader("OTHER_DEVICE"), None);
    }
}
