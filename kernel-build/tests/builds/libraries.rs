//! Kernels that use a library of device code from another package, which uses one itself.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use crate::support::{Workspace, workspace};

const CHECK: [&str; 3] = ["check", "--bin", "test-app"];

/// The package, a library with a build script that uses gridwright, and the library of that. None of them says anything of `no_std`.
fn with_libraries(name: &str) -> Option<Workspace> {
    let workspace = workspace(name)?;
    workspace.replace("Cargo.toml", "\"facade\"]", "\"facade\", \"klib\", \"base\", \"host-side\"]");
    workspace.replace("app/Cargo.toml", "device-dependencies = [\"common\"]\n", "");
    workspace.replace(
        "app/Cargo.toml",
        "common.workspace = true\n",
        "klib = { path = \"../klib\", features = [\"double\"] }\n",
    );
    let package = |name: &str, more: &str| {
        format!("[package]\nname = {name:?}\nversion.workspace = true\nedition.workspace = true\n{more}")
    };
    let build = env!("CARGO_MANIFEST_DIR");
    let klib = format!(
        "[features]\ndouble = []\n[dependencies]\ngridwright.workspace = true\nbase = {{ path = \"../base\" }}\nhost-side = {{ path = \
         \"../host-side\" }}\n[build-dependencies]\ngridwright-build = {{ path = {build:?} }}\n"
    );
    workspace.write("klib/Cargo.toml", &package("klib", &klib));
    workspace.write("klib/build.rs", "fn main() { gridwright_build::compile_kernels() }\n");
    workspace.write("klib/src/lib.rs", include_str!("fixture/kernel_library.rs"));
    workspace.write("base/Cargo.toml", &package("base", "[dependencies]\ngridwright.workspace = true\n"));
    workspace.write("base/src/lib.rs", "/// A third of it.\npub fn third(x: f32) -> f32 {\n    x / 3.0\n}\n");
    workspace.write("host-side/Cargo.toml", &package("host-side", ""));
    workspace.write(
        "host-side/src/lib.rs",
        "/// Of the host.\npub fn names() -> std::collections::HashMap<u32, &'static str> {\n    Default::default()\n}\n",
    );
    workspace.write("app/src/lib.rs", "");
    for folder in ["app/examples", "app/tests"] {
        std::fs::remove_dir_all(workspace.folder.join(folder)).unwrap();
    }
    workspace.replace("app/src/main.rs", "common::half(*y)", "klib::scaled(*y)");
    workspace.replace(
        "app/src/main.rs",
        "println!(\"host 1\");",
        "println!(\"host {}\", klib::names().len());",
    );
    Some(workspace)
}

#[test]
fn a_library_that_uses_gridwright_is_compiled_as_its_own_package_would_be() {
    let Some(workspace) = with_libraries("libraries") else { return };
    let run = workspace.cargo(&["run"]).good();
    assert!(run.out.starts_with("host 0\n"), "{}", run.out);
    assert_eq!(run.out.matches("  half [(0, 8), (8, 4)] [4, 4]").count(), 2, "{}", run.out);
    assert!(!run.err.contains("warning"), "{}", run.err);
    assert!(!workspace.cargo(&["build"]).good().err.contains("Compiling"), "nothing is compiled again");

    // A library's entries are in its own image alone.
    assert!(!run.out.contains("own"), "{}", run.out);

    // What is edited there is an edit of the kernels.
    let ptx = || {
        let table = std::fs::read_dir(Workspace::target().join("debug/build")).unwrap();
        let images = table.map(|e| e.unwrap().path().join("out/gridwright/bin-test_app.sm_80.ptx"));
        let images = images.filter(|image| image.is_file());
        std::fs::read_to_string(images.max_by_key(|i| i.metadata().unwrap().modified().unwrap()).unwrap())
            .unwrap()
    };
    let first = ptx();
    workspace.replace("base/src/lib.rs", "3.0", "5.0");
    workspace.cargo(&["build"]).good();
    let second = ptx();
    assert_ne!(first, second);
    workspace.replace("app/Cargo.toml", "\"double\"", "");
    workspace.cargo(&["build"]).good();
    assert_ne!(second, ptx(), "the feature reaches device code");
}

#[test]
fn what_a_library_lacks_names_its_package_and_the_line() {
    let Some(workspace) = with_libraries("library-messages") else { return };
    let refused = |messages: &[&str]| {
        // The package's own build is what is looked at.
        let run = workspace.cargo(&CHECK);
        assert!(!run.succeeded);
        for message in messages {
            assert!(run.err.contains(message), "{message}:\n{}", run.err);
        }
    };
    // Without kernels of its own, it needs no build script.
    std::fs::remove_file(workspace.folder.join("klib/build.rs")).unwrap();
    let library = include_str!("fixture/kernel_library.rs");
    let kernel = library.lines().find(|line| line.starts_with("gridwright::gpu_kernel!")).unwrap();
    workspace.replace("klib/src/lib.rs", kernel, "");
    workspace.replace("klib/src/lib.rs", "#[cfg(not(gridwright_device))]\nuse", "use");
    refused(&[
        "`klib` 0.3.0 is linked with these kernels, and its own code does not compile for GPUs",
        "klib/src/lib.rs:2:5",
        "gets `#[host_only]`, also a `use`",
        "library-messages/klib/Cargo.toml",
    ]);
    workspace.replace(
        "klib/src/lib.rs",
        "use std::collections::HashMap",
        "#[cfg(not(gridwright_device))] use std::collections::HashMap",
    );
    workspace.cargo(&CHECK).good();

    // A crate that the library doesn't list.
    workspace.replace("klib/src/lib.rs", "    base::third(x)", "    use host_side as _;\n    base::third(x)");
    refused(&[
        "`device-dependencies = [\"host_side\"]` in [package.metadata.gridwright] of ",
        "library-messages/klib/Cargo.toml",
    ]);
    // One that it lists, and that needs std.
    workspace.replace(
        "klib/Cargo.toml",
        "[features]",
        "[package.metadata.gridwright]\ndevice-dependencies = [\"host-side\"]\n[features]",
    );
    refused(&[
        "the device dependency `host_side` of `klib` 0.3.0 needs the standard library",
        "choose its `no_std` features in ",
        "library-messages/klib/Cargo.toml",
    ]);
}
