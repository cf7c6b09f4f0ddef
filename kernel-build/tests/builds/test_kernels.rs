//! Kernels under `#[cfg(test)]`.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::PathBuf;

use crate::support::{Workspace, workspace};

const TESTS: &str = "
#[cfg(test)]
mod tests {
    gridwright::gpu_kernel!(\"lib\", of_tests, __gridwright_layout_of_tests, (y: *mut f32) { unsafe { *y = super::twice(*y) } });

    #[test]
    fn both_are_in_the_image() {
        let names = |images: &'static gridwright::__private::Images| -> Vec<Vec<&str>> {
            images.images.iter().map(|image| image.entries.iter().map(|e| e.name).collect()).collect()
        };
        let both = [\"of_tests\", \"scale\"];
        let mut found = names(of_tests::images());
        found.iter_mut().for_each(|names| names.sort());
        assert_eq!(found, [both, both]);
        assert_eq!(names(super::scale::images()).len(), 2);
    }
}
";

#[test]
fn unit_tests_have_an_image_of_their_own() {
    let Some(workspace) = workspace("test-kernels") else { return };
    let library = include_str!("fixture/library.rs");
    workspace.write("app/src/lib.rs", &format!("{library}{TESTS}"));
    // The macro of the fixture includes what `#[gpu_kernel]` does.
    workspace.replace(
        "facade/src/lib.rs",
        "                static IMAGES: __gridwright::Images =\n",
        "                #[cfg(test)]\n                static IMAGES: __gridwright::Images =\n                    include!(concat!(env!(\"OUT_DIR\"), \"/gridwright/\", $kind, \"-\", env!(\"CARGO_CRATE_NAME\"), \".test.rs\"));\n                #[cfg(not(test))]\n                static IMAGES: __gridwright::Images =\n",
    );
    workspace.cargo(&["test", "--lib"]).good();
    let stamps = || {
        let folders = std::fs::read_dir(Workspace::target().join("gridwright/packages")).unwrap();
        let stamps = folders.map(|f| f.unwrap().path().join("lib-test_app-tests/sm_80.stamp"));
        let is_ours =
            |stamp: &PathBuf| std::fs::read_to_string(stamp).is_ok_and(|s| s.contains("builds/test-kernels"));
        stamps.filter(is_ours).collect::<Vec<_>>()
    };
    // A release build makes none, unless it is asked for. Both profiles may share images.
    assert_eq!(stamps().len(), 1);
    std::fs::remove_file(&stamps()[0]).unwrap();
    workspace.cargo(&["build", "--release", "--lib"]).good();
    assert_eq!(stamps().len(), 0);
    workspace.run(&["build", "--release", "--lib"], &[("GRIDWRIGHT_TEST_KERNELS", "1")]).good();
    assert_eq!(stamps().len(), 1);

    // What the host alone needs is told with what to write, and hinders the tests alone.
    workspace.replace("app/src/lib.rs", "    #[test]", "    use std::collections::HashMap;\n\n    #[test]");
    workspace.cargo(&["check", "--lib"]).good();
    let run = workspace.cargo(&["check", "--lib", "--profile", "test"]);
    for message in [
        "the GPU code of the tests of the lib `test_app` does not compile for sm_80, gfx1100",
        "app/src/lib.rs:13:9",
        "a module of tests without kernels `#[cfg(all(test, not(gridwright_device)))]`",
    ] {
        assert!(!run.succeeded && run.err.contains(message), "{message}:\n{}", run.err);
    }
    workspace.replace(
        "app/src/lib.rs",
        "use std::collections",
        "#[cfg(not(gridwright_device))]\n    use std::collections",
    );
    workspace.cargo(&["check", "--lib", "--profile", "test"]).good();
}
