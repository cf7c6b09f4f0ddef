//! The parts of the repository, and what of the test command a change in one of them can break.
//!
//! What isn't here is held to be able to break everything.

/// A part of the repository.
#[derive(Debug)]
pub(super) struct Area {
    pub(super) name: &'static str,
    /// Beginnings of paths from the workspace's root, with spaces between. Of several areas the longest beginning says whose a file is.
    pub(super) paths: &'static str,
    pub(super) checks: Checks,
}

/// Checks of an area: what to run.
#[derive(Debug)]
pub(super) enum Checks {
    /// All steps that always run.
    All,
    /// Some of the steps, in words.
    Some {
        /// Packages whose unit tests run.
        units: &'static str,
        /// Targets of integration tests.
        tests: &'static str,
        /// Steps besides `fmt`, `tidy` and the tests.
        steps: &'static str,
    },
    /// The test target that the file is of, by its name.
    OwnTest,
    /// The sample that the file is.
    OwnSample,
    /// The family of UI tests that the file is of.
    OwnFamily,
}

/// Tests of kernels on the CPU, of each level.
const LEVELS: &str = "conformance run attacks panics unsafe_kernels";

/// Tests of how the CPU runs kernels.
const CPU: &str = "conformance run attacks panics past_caches allocations environment";

/// Tests of what the host does around kernels.
const HOST: &str =
    "conformance run bad_input copy devices environment graphs panics printing allocations nvtx profile";

pub(super) const AREAS: &[Area] = &[
    area("core", "kernel-core/", Checks::All),
    some("image", "kernel-image/", "gridwright-image gridwright-build", "builds", "device cuda"),
    some(
        "derive",
        "kernel-derive/",
        "gridwright-derive",
        "ui hostile attributes conformance builds",
        "device cuda",
    ),
    some("device", "device/", "gridwright-device", LEVELS, "device nvidia amd cuda conformance"),
    some(
        "cpu",
        "cpu/ device/src/arch/cpu/ host/src/backend/cpu/",
        "gridwright-cpu gridwright-device gridwright-host",
        CPU,
        "",
    ),
    some("primitives", "primitives/", "gridwright-primitives", "primitives", "conformance doctest"),
    some("comm", "comm/", "gridwright-comm", "", "comm doctest"),
    some("distributed", "examples/distributed/", "", "", "comm"),
    some("math", "kernel-math/", "gridwright-math", "math", ""),
    some(
        "instructions",
        "kernel-math/src/arch/",
        "gridwright-math",
        "math library",
        "device nvidia amd cuda",
    ),
    some("host", "host/", "gridwright-host", HOST, ""),
    some(
        "drivers",
        "host/src/backend/gpu/driver/ host/src/backend/gpu/images/ host/src/interop/",
        "gridwright-host",
        "devices graphs bad_input",
        "cuda hip",
    ),
    some("build", "kernel-build/", "gridwright-build", "builds", "device nvidia numbers"),
    some("emulator", "emulator/", "gridwright-emulator", "emulator driver", "cuda conformance numbers"),
    some(
        "emulated-driver",
        "emulator/emulated-driver/",
        "gridwright-emulated-driver",
        "driver runtime nccl",
        "cuda hip",
    ),
    some("emulated-nccl", "emulator/emulated-nccl/", "gridwright-emulated-nccl", "nccl", ""),
    some("emulated-hip", "emulator/emulated-hip/ emulator/amd-emulator-client/", "", "runtime", "hip"),
    some("cli", "cli/", "cargo-gridwright", "command", ""),
    some(
        "book",
        "book/ README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md RELEASING.md SECURITY.md",
        "",
        "book solutions",
        "",
    ),
    some("bits", "examples/bits/", "", "", "clippy"),
    some("browser", "examples/browser/", "", "", "clippy"),
    some("plugins", "examples/plugins/", "", "loaded imported", ""),
    some("xtask", "xtask/", "xtask", "", ""),
    area("samples", "examples/src/bin/ examples/src/samples/", Checks::OwnSample),
    area("ui", "tests/ui/ tests/ui.rs", Checks::OwnFamily),
    area(
        "tests",
        "tests/ examples/tests/ examples/hostile/ examples/hopper/ examples/kernel-user/",
        Checks::OwnTest,
    ),
];

const fn area(name: &'static str, paths: &'static str, checks: Checks) -> Area {
    Area { name, paths, checks }
}

const fn some(
    name: &'static str,
    paths: &'static str,
    units: &'static str,
    tests: &'static str,
    steps: &'static str,
) -> Area {
    area(name, paths, Checks::Some { units, tests, steps })
}

/// The area that a file is of.
pub(super) fn of(path: &str) -> Option<&'static Area> {
    let by_length = |area: &&Area| {
        let beginnings = area.paths.split(' ').filter(|beginning| path.starts_with(beginning));
        beginnings.map(str::len).max()
    };
    AREAS.iter().filter(|area| by_length(area).is_some()).max_by_key(by_length)
}

/// The target that a file of tests or a sample is of: `attacks` of `tests/attacks/warps.rs`.
pub(super) fn target(path: &str) -> Option<&str> {
    let after = ["examples/src/bin/", "examples/src/samples/", "examples/tests/", "tests/", "examples/"];
    after.iter().find_map(|folder| path.strip_prefix(folder))?.split(['/', '.']).next()
}

#[cfg(test)]
mod tests {
    use super::{AREAS, Checks, of, target};
    use crate::test::steps::STEPS;
    use crate::workspace::Workspace;

    #[test]
    fn the_longest_beginning_says_whose_a_file_is() {
        let name = |path| of(path).map(|area| area.name);
        assert_eq!(name("host/src/stream.rs"), Some("host"));
        assert_eq!(name("host/src/backend/gpu/driver/cuda/mod.rs"), Some("drivers"));
        assert_eq!(name("kernel-math/src/math/power.rs"), Some("math"));
        assert_eq!(name("kernel-math/src/arch/nvptx/float.rs"), Some("instructions"));
        assert_eq!(name("device/src/thread.rs"), Some("device"));
        assert_eq!(name("examples/src/bin/scan.rs"), Some("samples"));
        assert_eq!(name("tests/ui/parameters/mut_slice.rs"), Some("ui"));
        assert_eq!(name("Cargo.lock"), None);
        assert_eq!(name("examples/build.rs"), None);
    }

    #[test]
    fn a_file_of_tests_is_its_targets() {
        for (path, name) in [
            ("tests/attacks/warps.rs", "attacks"),
            ("tests/run.rs", "run"),
            ("examples/tests/conformance/groups/memory.rs", "conformance"),
            ("tests/ui/parameters/mut_slice.stderr", "ui"),
            ("examples/tests/math/main.rs", "math"),
            ("examples/src/bin/scan.rs", "scan"),
            ("examples/hostile/tests/ui/padding.rs", "hostile"),
        ] {
            assert_eq!(target(path), Some(name), "{path}");
        }
        assert_eq!(target("host/src/lib.rs"), None);
    }

    /// A name that is misspelled here would check nothing.
    #[test]
    fn all_names_are_there() {
        let workspace = Workspace::find().unwrap();
        let packages = &workspace.metadata.packages;
        let targets = packages.iter().flat_map(|package| &package.targets);
        let is_target = |name: &str| targets.clone().any(|other| other.is_test() && other.name == name);
        for area in AREAS {
            for path in area.paths.split(' ') {
                assert!(workspace.root.join(path).exists(), "{path}");
            }
            let Checks::Some { units, tests, steps } = area.checks else { continue };
            for unit in units.split_whitespace() {
                assert!(packages.iter().any(|package| package.name == unit), "{unit}");
            }
            for test in tests.split_whitespace() {
                assert!(is_target(test), "{test}");
            }
            for step in steps.split_whitespace() {
                assert!(STEPS.iter().any(|other| other.name == step), "{step}");
            }
        }
    }
}
