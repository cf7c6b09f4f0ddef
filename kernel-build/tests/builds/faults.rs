//! Programs that public reports led to: what was refused or went wrong without a word is right, or told with the user's line and what to
//! write instead.

use crate::support::{Workspace, workspace};

const CHECK: [&str; 3] = ["check", "--bin", "test-app"];

/// A program of one kernel of threads, after some lines, with `y` the thread's element and `x` a slice of as many.
fn program(lines: &str, body: &str) -> String {
    format!(
        "use gridwright::prelude::*;\n{lines}\n#[gpu_kernel]\nfn k(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {{\n    let Some(y) = y.get_mut(t) else \
         {{ return }};\n    *y = {body};\n}}\n#[host_only]\nfn main() {{}}\n"
    )
}

fn of_gridwright(name: &str) -> Option<Workspace> {
    let workspace = workspace(name)?;
    workspace.use_gridwright_itself();
    Some(workspace)
}

#[track_caller]
fn refused(workspace: &Workspace, source: &str, messages: &[&str]) {
    workspace.write("app/src/main.rs", source);
    let run = workspace.cargo(&CHECK);
    assert!(!run.succeeded, "{source}");
    for message in messages {
        assert!(run.err.contains(message), "{message}:\n{}", run.err);
    }
}

#[test]
fn sizes_that_a_driver_refuses_are_refused_when_they_are_built() {
    let Some(workspace) = of_gridwright("limits") else { return };
    let table = "use gridwright::prelude::*;\n#[gpu_kernel]\nfn look(t: Thread, table: [f32; 1100], mut y: PerThread<[f32]>) {\n    \
                 if let Some(y) = y.get_mut(t) { *y = table[t.index()]; }\n}\n#[host_only]\nfn main() {}\n";
    refused(
        &workspace,
        table,
        &[
            "`table` is too large: all parameters of a kernel take at most 4096 bytes",
            "take a slice of it",
            "app/src/main.rs:3:27",
        ],
    );
    let large =
        program("", "{ let mut a = [0_u32; 200_000]; for i in x { a[*i as usize] += i; } a[x[1] as usize] }");
    refused(
        &workspace,
        &large,
        &["needs 800000 bytes of stack, and a thread has 524288 at most, at app/src/main.rs:"],
    );
}

#[test]
fn an_instance_whose_trait_the_host_alone_has_is_told_with_its_line() {
    let Some(workspace) = of_gridwright("instance") else { return };
    let source = "use gridwright::prelude::*;\ntrait Shade: KernelArg { fn shade(self) -> Self; }\n#[host_only]\nimpl Shade for f32 { fn shade(self) \
                  -> f32 { self * 0.5 } }\n#[gpu_kernel]\nfn shade<T: Shade>(t: Thread, mut y: PerThread<[T]>) { if let Some(y) = y.get_mut(t) { *y = \
                  y.shade(); } }\ninstance! { kernel shade_f32 = shade<f32>; }\n#[host_only]\nfn main() {}\n";
    refused(&workspace, source, &["the trait bound `f32: Shade` is not satisfied", "app/src/main.rs:7:32"]);
    workspace.write("app/src/main.rs", &source.replace("#[host_only]\nimpl", "impl"));
    workspace.cargo(&CHECK).good();
    // Nothing is built for a kernel without instances, and nothing warns.
    let without = source.replace("instance! { kernel shade_f32 = shade<f32>; }", "pub use shade as again;");
    workspace.write(
        "app/src/main.rs",
        &without.replace("#[host_only]\nimpl", "impl").replace("fn shade<", "pub fn shade<"),
    );
    let run = workspace.cargo(&CHECK).good();
    assert!(!run.err.contains("gridwright"), "{}", run.err);
}

#[test]
fn a_symbol_that_is_missing_is_told_with_the_line_that_uses_it() {
    let Some(workspace) = of_gridwright("missing-symbol") else { return };
    let lines = "unsafe extern \"C\" { safe fn erfcx(x: f64) -> f64; }\nfn scaled(x: u32) -> u32 {\n    erfcx(f64::from(x)) as u32\n}";
    refused(
        &workspace,
        &program(lines, "scaled(x[0])"),
        &["device code uses `erfcx`", "app/src/main.rs:4:5", "take it from `core` or `gridwright::math`"],
    );
}

#[test]
fn what_std_has_alone_is_told_with_what_to_do() {
    let Some(workspace) = of_gridwright("of-std") else { return };
    let uses = program(
        "use std::collections::HashMap;\n#[host_only] fn unused() -> HashMap<u32, u32> { HashMap::new() }",
        "x[0] / 2",
    );
    refused(
        &workspace,
        &uses,
        &["app/src/main.rs:2:5", "or have a table in a buffer", "gets `#[host_only]`, also a `use`"],
    );
    workspace.write("app/src/main.rs", &uses.replace("use std", "#[host_only] use std"));
    workspace.cargo(&CHECK).good();
    refused(
        &workspace,
        &program("", "{ println!(\"{}\", x[0]); 1 }"),
        &["app/src/main.rs:6:", "gpu_println!"],
    );
    refused(
        &workspace,
        &program("", "Vec::<u32>::new().len() as u32"),
        &["app/src/main.rs:6:", "features = [\"alloc\"]"],
    );
}

#[test]
fn variables_of_cargo_are_those_of_the_package() {
    let Some(workspace) = of_gridwright("variables") else { return };
    workspace.write("app/data/table.bin", "table");
    let lines = "static TABLE: &[u8] = include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/table.bin\"));\n\
                 const NAME: &str = concat!(env!(\"CARGO_PKG_NAME\"), env!(\"CARGO_PKG_VERSION\"), env!(\"CARGO_CRATE_NAME\"));\n\
                 const _: () = assert!(NAME.len() == \"test-app0.3.0test_app\".len());";
    workspace.write("app/src/main.rs", &program(lines, "TABLE[x[0] as usize % TABLE.len()].into()"));
    workspace.cargo(&CHECK).good();
}

#[test]
fn methods_of_floats_are_their_own_beside_another_crates_trait() {
    let Some(workspace) = of_gridwright("float-traits") else { return };
    let traits = "num-traits = { version = \"0.2.19\", default-features = false, features = [\"libm\"] }";
    workspace.replace("app/Cargo.toml", "[dependencies]", &format!("[dependencies]\n{traits}"));
    workspace.replace("app/Cargo.toml", "[\"common\"]", "[\"common\", \"num-traits\"]");
    let lines = "use num_traits::Float;\nfn length<F: Float>(a: F, b: F) -> F { (a * a + b * b).sqrt() }";
    let body = "{ let a = f32::from_bits(x[0]); (a.sqrt() + [a].map(f32::floor)[0] + length(a, 2.0) + a.rem_euclid(2.0)) as u32 }";
    workspace.write("app/src/main.rs", &program(lines, body));
    workspace.cargo(&CHECK).good();
}

/// Overflows are checked as in the host's code, unless someone says otherwise.
#[test]
fn debug_builds_check_overflows_on_gpus_too() {
    let Some(workspace) = of_gridwright("debug-checks") else { return };
    workspace
        .write("app/src/main.rs", &program("", "{ debug_assert!(x[0] < 9, \"a small one\"); x[0] + x[1] }"));
    let built = |checks: &str, profile: &str| {
        let arguments = ["check", "--bin", "test-app", "--profile", profile];
        workspace
            .run(&arguments, &[("GRIDWRIGHT_DEBUG_CHECKS", checks), ("GRIDWRIGHT_ARCHITECTURES", "sm_80")])
            .good();
        let folder = if profile == "dev" { "debug" } else { profile };
        let builds = std::fs::read_dir(Workspace::target().join(folder).join("build")).unwrap();
        let images = builds.map(|build| build.unwrap().path().join("out/gridwright/bin-test_app.sm_80.ptx"));
        let newest =
            images.filter_map(|image| Some((image.metadata().ok()?.modified().ok()?, image))).max().unwrap();
        std::fs::read_to_string(newest.1).unwrap()
    };
    let bytes = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ");
    let (overflow, assertion) = (bytes("attempt to add with overflow"), bytes("a small one"));
    for (checks, profile, is_checked) in
        [("", "dev", true), ("0", "dev", false), ("", "release", false), ("1", "release", true)]
    {
        let ptx = built(checks, profile);
        for text in [&overflow, &assertion] {
            assert_eq!(ptx.contains(text.as_str()), is_checked, "{checks:?} {profile}:\n{ptx}");
        }
    }
}

/// A crate of the host's that gets kernels: what GPUs lack is told each once, without what follows from it.
#[test]
fn a_crate_of_the_hosts_is_told_what_its_kernels_need() {
    let Some(workspace) = of_gridwright("existing-crate") else { return };
    let host = "use std::collections::HashMap;\nuse std::time::Instant;\nuse common::half;\n\
                fn count(words: &[&str]) -> HashMap<String, usize> {\n    let start = Instant::now();\n    \
                let mut counts = HashMap::new();\n    for word in words { *counts.entry(word.to_string()).or_insert(0) += 1; }\n    \
                println!(\"{:?} {}\", start.elapsed(), half(1.0));\n    counts\n}";
    let existing = program(host, "x[0]").replace("fn main() {}", "fn main() { count(&[]); }");
    let existing = existing.replace("use common::half;\n", "");
    workspace.write("app/src/main.rs", &existing.replace("half(1.0)", "1"));
    let run = workspace.cargo(&CHECK);
    assert!(!run.succeeded);
    for message in [
        "app/src/main.rs:2:5",
        "kernels have no hash map: sort by key",
        "app/src/main.rs:3:5",
        "kernels have no clock: `Event`s on the stream",
        "or name the modules of kernels alone: `modules = [\"kernels\"]`",
    ] {
        assert!(run.err.contains(message), "{message}:\n{}", run.err);
    }
    for consequence in ["cargo add", "E0599", "to_string"] {
        assert!(!run.err.contains(consequence), "{consequence}:\n{}", run.err);
    }

    // With a line in the manifest, and the kernels in modules of their own, no item gets a mark.
    let kernels =
        program("use super::halves::half;", "half(x[0])").replace("#[host_only]\nfn main() {}\n", "");
    workspace.write("app/src/gpu/kernels.rs", &kernels);
    workspace.write(
        "app/src/gpu/halves.rs",
        "mod inner;\npub fn half(x: u32) -> u32 {\n    inner::quarter(x) * 2\n}\n",
    );
    workspace.write("app/src/gpu/halves/inner.rs", "pub fn quarter(x: u32) -> u32 {\n    x / 4\n}\n");
    workspace.write("app/src/gpu/mod.rs", "pub mod halves;\npub mod kernels;\n");
    let host = existing
        .split("#[gpu_kernel]")
        .next()
        .unwrap()
        .replace("half(1.0)", "1")
        .replace("use gridwright::prelude::*;", "");
    workspace.write(
        "app/src/main.rs",
        &format!("mod gpu;\n{host}fn main() {{ count(&[]); gpu::kernels::k::images(); }}\n")
            .replace(" gpu::kernels::k::images();", ""),
    );
    workspace.replace(
        "app/Cargo.toml",
        "device-dependencies = [\"common\"]\n",
        "modules = [\"gpu::kernels\", \"crate::gpu::halves\"]\n",
    );
    let run = workspace.cargo(&CHECK).good();
    assert!(!run.err.contains("warning: GPU"), "{}", run.err);
    // An edit of a kernel reaches the image, and one of the host's code compiles nothing for GPUs.
    workspace.replace("app/src/gpu/halves/inner.rs", "x / 4", "x.no_such_method()");
    let run = workspace.cargo(&CHECK);
    assert!(!run.succeeded && run.err.contains("app/src/gpu/halves/inner.rs:2"), "{}", run.err);

    workspace.replace("app/Cargo.toml", "crate::gpu::halves", "gpu::absent");
    let run = workspace.cargo(&CHECK);
    let text = "modules: no target of the package has a module `gpu::absent` in a file of its own";
    assert!(!run.succeeded && run.err.contains(text), "{}", run.err);
}
