//! Whole builds: a stable cargo outside, the nightly inside. They skip, loudly, where there is no
//! nightly compiler or no library sources.

mod faults;
mod libraries;
mod support;
mod test_kernels;

use std::path::PathBuf;

use support::{Run, Workspace, workspace};

#[test]
fn kernels_of_every_target_are_in_its_image() {
    let Some(workspace) = workspace("every-target") else { return };
    let run = workspace.cargo(&["run"]).good();
    let entry = "  half [(0, 8), (8, 4)] [4, 4]";
    let expected = format!(
        "host 1\nmissing: \nsm_80 Ptx is empty: false\n{entry}\ngfx1100 CodeObject is empty: false\n{entry}\n"
    );
    assert_eq!(run.out, expected);
    assert!(!run.err.contains("warning"), "{}", run.err);

    let files = workspace.files();
    let example = workspace.cargo(&["run", "--example", "demo"]).good();
    assert_eq!(example.out.matches("  demo [(0, 8)] [4, 4]").count(), 2, "{}", example.out);
    assert!(
        !example.out.contains("scale"),
        "the library's kernels are in the library's image: {}",
        example.out
    );
    workspace.cargo(&["test"]).good();
    workspace.cargo(&["doc", "--no-deps"]).good();
    workspace.cargo(&["check", "--all-targets"]).good();
    assert_eq!(workspace.files(), files, "nothing is written among the sources");
}

#[test]
fn edits_reach_the_image_and_nothing_else_is_compiled() {
    let Some(workspace) = workspace("edits") else { return };
    workspace.cargo(&["build"]).good();
    assert!(!workspace.cargo(&["build"]).good().err.contains("Compiling"));

    // The folder of a kind in which a file was written last.
    let newest = |folders: &str, file: &str| {
        let folders = std::fs::read_dir(Workspace::target().join(folders)).unwrap();
        let written = |f: &PathBuf| f.join(file).metadata().and_then(|m| m.modified()).ok();
        let folders = folders.map(|e| e.unwrap().path()).filter(|f| written(f).is_some());
        folders.max_by_key(written).unwrap()
    };
    let ptx = || {
        let image = newest("debug/build", "out/gridwright/bin-test_app.sm_80.ptx");
        let image = image.join("out/gridwright/bin-test_app.sm_80.ptx");
        (std::fs::read_to_string(&image).unwrap(), image.metadata().unwrap().modified().unwrap())
    };
    for architecture in ["sm_80", "gfx1100"] {
        let stamp = format!("bin-test_app/{architecture}.stamp");
        let stamp = std::fs::read_to_string(newest("gridwright/packages", &stamp).join(stamp)).unwrap();
        let command = stamp.lines().find(|line| line.starts_with("command ")).unwrap();
        assert!(command.contains("--crate-name test_app"), "the next edit would need cargo: {command}");
    }
    let first = ptx();
    workspace.replace("app/src/main.rs", "host 1", "host 2");
    assert!(workspace.cargo(&["run"]).good().out.starts_with("host 2"));
    assert_eq!(ptx(), first, "an edit of host code leaves the image alone");

    workspace.replace("app/src/main.rs", "n as f32", "n as f32 * 4.0");
    workspace.cargo(&["build"]).good();
    let second = ptx();
    assert_ne!(second.0, first.0);

    workspace.replace("common/src/lib.rs", "0.5", "0.25");
    workspace.cargo(&["build"]).good();
    assert_ne!(ptx().0, second.0, "an edit in a device dependency reaches the image");

    let demo = std::fs::read_to_string(workspace.folder.join("app/examples/demo.rs")).unwrap();
    workspace.write("app/examples/later.rs", &demo.replace("demo", "later"));
    let later = workspace.cargo(&["run", "--example", "later"]).good();
    assert_eq!(later.out.matches("  later [(0, 8)] [4, 4]").count(), 2, "a new target: {}", later.out);
}

#[test]
fn device_errors_are_shown_once_at_the_users_own_line() {
    let Some(workspace) = workspace("errors") else { return };
    workspace.cargo(&["check", "--bin", "test-app"]).good();
    workspace.replace(
        "app/src/main.rs",
        "//! The binary",
        "#[cfg(gridwright_device)]\nfn wrong() -> u32 { \"text\" }\n//! The binary",
    );
    workspace.replace("app/src/main.rs", "//! The binary of the test package.\n", "");
    let run = workspace.cargo(&["check", "--bin", "test-app"]);
    assert!(!run.succeeded);
    assert_eq!(run.err.matches("mismatched types").count(), 1, "{}", run.err);
    assert!(run.err.contains("--> app/src/main.rs:2:21"), "{}", run.err);

    workspace.replace("app/src/main.rs", "\"text\"", "7");
    workspace.cargo(&["check", "--bin", "test-app"]).good();
}

#[test]
fn what_breaks_the_model_is_refused() {
    let Some(workspace) = workspace("refused") else { return };
    let kernel = |body: &str| {
        format!(
            "use core::sync::atomic::{{AtomicU32, Ordering}};\nstatic COUNT: AtomicU32 = AtomicU32::new(0);\n\
             #[inline(never)] fn ack(m: u32, n: u32) -> u32 {{ if m == 0 {{ n + 1 }} else if n == 0 {{ ack(m - 1, 1) }} else {{ ack(m - 1, ack(m, n - 1)) }} }}\n\
             unsafe extern \"C\" {{ fn elsewhere(n: u32) -> u32; }}\n\
             gridwright::gpu_kernel!(\"bin\", k, __gridwright_layout_k, (y: *mut u32) {{ unsafe {{ *y = {body} }} }});\n\
             #[cfg(not(gridwright_device))]\nfn main() {{}}\n"
        )
    };
    for (body, message) in [
        ("COUNT.fetch_add(1, Ordering::Relaxed)", "device code has the mutable static `test_app::COUNT`"),
        (
            "ack(*y, 3)",
            "device code recurses, and a GPU thread's stack has a fixed size: `test_app::ack` calls `test_app::ack`",
        ),
        (
            "elsewhere(*y)",
            "device code uses `elsewhere`, which does not exist on a GPU (used by `k`), at app/src/main.rs:5:",
        ),
    ] {
        workspace.write("app/src/main.rs", &kernel(body));
        let run = workspace.cargo(&["check", "--bin", "test-app"]);
        assert!(!run.succeeded && run.err.contains(message), "{body}: {}", run.err);
        assert!(run.err.contains("for sm_80, gfx1100"), "both say the same: {}", run.err);
    }
}

/// The rule is `Uniform`, which host code isn't held to.
#[test]
fn an_atomic_on_the_stack_can_be_captured_on_the_host_only() {
    let Some(workspace) = workspace("uniform") else { return };
    workspace.use_gridwright_itself();
    for (source, place) in [
        (include_str!("fixture/atomic_captured.rs"), "app/src/main.rs:7:7"),
        (include_str!("fixture/atomic_captured_by_helper.rs"), "app/src/main.rs:16:23"),
    ] {
        workspace.write("app/src/main.rs", source);
        let arguments = ["check", "--bin", "test-app"];
        workspace.run(&arguments, &[("GRIDWRIGHT_SKIP_DEVICE", "1")]).good();
        let run = workspace.cargo(&arguments);
        assert!(!run.succeeded, "{}", run.err);
        assert!(run.err.contains("for sm_80, gfx1100"), "both say the same: {}", run.err);
        assert_eq!(run.err.matches("a phase can't use").count(), 1, "{}", run.err);
        assert!(run.err.contains(&format!("--> {place}")), "{}", run.err);
        assert!(run.err.contains("an atomic on the stack"), "{}", run.err);
    }
}

/// What a launch rests on is compared by types and by the attribute's text, whatever `cfg`s and imports say what they are.
#[test]
fn host_and_device_compile_one_kernel() {
    let Some(workspace) = workspace("one_kernel") else { return };
    workspace.use_gridwright_itself();
    let source = |kernels: &str| {
        format!(
            "#![forbid(unsafe_code)]\n#![allow(unused)]\nuse gridwright::prelude::*;\n{kernels}\n#[host_only]\nfn main() {{}}\n"
        )
    };
    let on = |host: &str, device: &str| {
        source(&format!("#[cfg(not(gridwright_device))]\n{host}\n#[cfg(gridwright_device)]\n{device}"))
    };
    let arguments = ["check", "--bin", "test-app"];
    let copy = "fn k(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {}";
    workspace
        .write("app/src/main.rs", &source(&format!("#[gpu_kernel(requires = x.len() == y.len())]\n{copy}")));
    workspace.cargo(&arguments).good();

    let (kernel, parameter) = ("disagree on what a kernel is", "disagree on a kernel's parameter");
    let plain = format!("#[gpu_kernel]\n{copy}");
    let with = |arguments: &str| format!("#[gpu_kernel({arguments})]\n{copy}");
    let of = |parameters: &str| format!("#[gpu_kernel]\nfn k({parameters}) {{}}");
    let unsafely = "requires = { #[cfg(gridwright_device)] { (x.len() as *mut u32).write(7); } true }";
    for (source, message) in [
        (source(&with(unsafely)), "is unsafe and requires unsafe"),
        (on(&plain, &with("requires = x.len() == y.len()")), kernel),
        (on(&with("requires = x.len() <= y.len()"), &with("requires = x.len() == y.len()")), kernel),
        (
            on(
                "#[gpu_kernel(requires = a.len() < 9)]\nfn k(t: Thread, a: &[u32], b: &[u32]) {}",
                "#[gpu_kernel(requires = a.len() < 9)]\nfn k(t: Thread, b: &[u32], a: &[u32]) {}",
            ),
            kernel,
        ),
        (on(&with("block = 64"), &with("block = 32")), kernel),
        (on(&with("max_threads = 64"), &with("max_threads = 32")), kernel),
        (on(&of("g: &Group, x: Atomic<[u32]>"), &of("grid: &Cluster, x: Atomic<[u32]>")), kernel),
        (on(&of("g: &Group, w: Workgroup<[u32; 8]>"), &of("g: &Group, w: Workgroup<[u32; 9]>")), parameter),
        (on(&of("t: Thread, x: &[u32]"), &of("t: Thread, x: Atomic<[u32]>")), parameter),
        (on(&of("t: Thread, x: &[u32]"), &of("t: Thread, x: &[i32]")), parameter),
        (
            on(
                &of("t: Thread, x: PerThread<[u32]>"),
                &of("t: Thread, x: PerThread<[u32], gridwright::ownership::Reversed>"),
            ),
            parameter,
        ),
        (
            on(&of("t: Thread, x: &[u32]"), &of("g: &Group, x: &[u32]")),
            "disagree on a kernel's number of parameters",
        ),
        (
            on(&of("t: Thread, x: &[u32]"), "#[gpu_kernel(index = u64)]\nfn k(t: Thread, x: &[u32]) {}"),
            "disagree on the size",
        ),
        (
            on("type Atomic<'a, S> = &'a S;", "use gridwright::Atomic;") + &of("t: Thread, x: Atomic<[u32]>"),
            "is spelled as one of Gridwright's or of Rust's own, and is another of that name",
        ),
        (
            on(&of("g: &Group, w: Workgroup<[u32; 8]>"), &of("g: &Group, w: Workgroup<'static, [u32; 8]>")),
            "escapes",
        ),
        (on(&of("t: Thread, x: &[u32]"), &of("t: Thread, x: &'static [u32]")), "escapes"),
        (on(&of("t: Thread, x: &[u32]"), &of("t: Thread<'static>, x: &[u32]")), "escapes"),
        (
            source(&format!("type Slice<'a> = &'a [u32];\n{}", of("t: Thread, x: Slice<'_>"))),
            "behind another name there is a slice",
        ),
    ] {
        workspace.write("app/src/main.rs", &source);
        let run = workspace.cargo(&arguments);
        assert!(!run.succeeded && run.err.contains(message), "{message}:\n{source}\n{}", run.err);
    }
}

/// One that is only on the device would otherwise be taken for another of its module.
#[test]
fn two_kernels_of_one_path_are_refused_and_of_one_name_are_two() {
    let Some(workspace) = workspace("paths") else { return };
    workspace.use_gridwright_itself();
    let source = |kernels: &str| {
        format!("#![allow(unused)]\nuse gridwright::prelude::*;\n{kernels}\n#[host_only]\nfn main() {{}}\n")
    };
    let kernel = "#[gpu_kernel] pub fn k(t: Thread, x: &[u32]) {}";
    let arguments = ["check", "--bin", "test-app"];
    let modules = ["a", "b"].map(|name| format!("mod {name} {{ use super::*; {kernel} }}"));
    workspace.write("app/src/main.rs", &source(&modules.concat()));
    workspace.cargo(&arguments).good();
    let functions = ["a", "b"].map(|name| format!("#[cfg(gridwright_device)]\nfn {name}() {{ {kernel} }}\n"));
    let other = kernel.replace("fn k", "fn other");
    workspace.write("app/src/main.rs", &source(&(functions.concat() + &other)));
    let run = workspace.cargo(&arguments);
    assert!(!run.succeeded && run.err.contains("two kernels have the path `k`"), "{}", run.err);
    assert!(run.err.contains("for sm_80, gfx1100"), "both say the same: {}", run.err);
}

/// Whether one has memory could lead it past a barrier that others wait at, and so could where it lies.
#[test]
fn allocation_is_for_kernels_of_threads() {
    let Some(workspace) = workspace("allocation") else { return };
    workspace.use_gridwright_itself();
    let with_feature = "default-features = false, features = [\"alloc\"]";
    workspace.replace("Cargo.toml", "default-features = false", with_feature);
    let arguments = ["check", "--bin", "test-app"];
    let source = include_str!("fixture/allocates.rs");
    workspace.write("app/src/main.rs", source);
    workspace.cargo(&arguments).good();
    let vector =
        |len| format!("let v: Vec<u32> = vec![1; {len}]; if v.as_ptr().addr() % 32 != 0 {{ return }}");
    for (place, kernel, code) in [
        ("// group level", "of_groups", vector("g.len()").as_str()),
        ("// grid level", "of_grids", &vector("grid.len()")),
        ("// cluster level", "of_clusters", &vector("cluster.groups()")),
        (
            "// phase",
            "of_groups",
            "let t_and_more = format!(\"{} and more\", t.index()); if t_and_more.len() > 20 { return }",
        ),
    ] {
        workspace.write("app/src/main.rs", &source.replace(place, code));
        let run = workspace.cargo(&arguments);
        assert!(!run.succeeded, "{place}");
        assert!(
            run.err.contains(&format!("the kernel `{kernel}` is one of groups and allocates memory")),
            "{}",
            run.err
        );
        assert!(!run.err.contains("of_threads") && run.err.contains("for sm_80, gfx1100"), "{}", run.err);
    }
}

#[test]
fn a_dependency_that_needs_std_is_named() {
    let Some(workspace) = workspace("std") else { return };
    workspace.replace("common/src/lib.rs", "#![no_std]", "");
    let run = workspace.cargo(&["check", "--bin", "test-app"]);
    assert!(!run.succeeded);
    assert!(run.err.contains("the device dependency `common` needs the standard library"), "{}", run.err);
    workspace.replace("common/src/lib.rs", "//! A device dependency.", "#![no_std]");
    workspace.cargo(&["check", "--bin", "test-app"]).good();
}

#[test]
fn a_missing_toolchain_is_one_warning_and_the_program_still_runs() {
    let Some(workspace) = workspace("missing") else { return };
    let missing = [("GRIDWRIGHT_TOOLCHAIN", "no-such-nightly")];
    let run = workspace.run(&["run"], &missing).good();
    let command =
        "run `rustup toolchain install no-such-nightly --component rust-src`, or set GRIDWRIGHT_DEVICE=cpu";
    assert_eq!(run.err.matches(command).count(), 1, "{}", run.err);
    assert!(run.out.contains(&format!("{command}\n")) && !run.out.contains("sm_80"), "{}", run.out);
    assert!(
        !workspace.run(&["build"], &missing).good().err.contains("Compiling"),
        "nothing is compiled again"
    );

    let required = workspace.run(&["build"], &[missing[0], ("GRIDWRIGHT_REQUIRE_DEVICE", "1")]);
    assert!(!required.succeeded && required.err.contains(command), "{}", required.err);

    let skipped = workspace.run(&["run"], &[("GRIDWRIGHT_SKIP_DEVICE", "1")]).good();
    assert!(
        skipped.out.contains("GRIDWRIGHT_SKIP_DEVICE") && !skipped.err.contains("warning"),
        "{skipped:?}"
    );

    let unknown = workspace.run(&["build"], &[("GRIDWRIGHT_ARCHITECTURES", "ampere")]);
    assert!(
        !unknown.succeeded && unknown.err.contains("`ampere` is not a GPU architecture"),
        "{}",
        unknown.err
    );
}

#[test]
fn two_builds_at_once_share_what_they_build() {
    let Some(workspace) = workspace("at-once") else { return };
    let mut children = Vec::new();
    for arguments in [&["build", "--bin", "test-app"][..], &["build", "--release", "--bin", "test-app"]] {
        // Incremental images are the debug profile's own.
        let mut command = workspace.command(arguments, &[("CARGO_INCREMENTAL", "0")]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        children.push(command.spawn().unwrap());
    }
    for child in children {
        Run::new(&child.wait_with_output().unwrap()).good();
    }
    let packages = std::fs::read_dir(Workspace::target().join("gridwright/packages")).unwrap();
    let stamps = packages.filter_map(|package| {
        std::fs::read_to_string(package.unwrap().path().join("bin-test_app/sm_80.stamp")).ok()
    });
    let folder = workspace.folder.to_str().unwrap();
    assert_eq!(stamps.filter(|stamp| stamp.contains(folder)).count(), 1, "both profiles have one image");
}

#[test]
fn names_that_collide_are_refused() {
    let Some(workspace) = workspace("collide") else { return };
    workspace.write("app/examples/test-app.rs", include_str!("fixture/binary.rs"));
    let run = workspace.cargo(&["check", "--bin", "test-app"]);
    assert!(!run.succeeded, "{}", run.err);
    assert!(
        run.err.contains("the bin `test-app` and the example `test-app` both hold GPU kernels"),
        "{}",
        run.err
    );
}

#[test]
fn a_triple_given_to_cargo_and_a_wiped_out_dir_work() {
    let Some(workspace) = workspace("triple") else { return };
    let version = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|l| l.strip_prefix("host: ")).unwrap();
    let arguments = ["run", "--target", host];
    let first = workspace.cargo(&arguments).good();
    assert!(
        !Workspace::target().join(host).join("gridwright").exists(),
        "it shares the folder of other builds"
    );
    workspace.cargo(&["clean"]).good();
    assert_eq!(workspace.cargo(&arguments).good().out, first.out);
}
