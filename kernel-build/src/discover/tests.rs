use std::fs;
use std::path::{Path, PathBuf};

use super::source::outline;
use super::walk::walk;
use super::*;
use crate::tests::Folder;

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn found(folder: &Path, root: &str) -> Vec<String> {
    let sources = walk(&folder.join(root), &[KERNELS[0]], Tests::Left);
    let mut names: Vec<_> =
        sources.files.iter().map(|f| f.strip_prefix(folder).unwrap().display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn modules_are_followed_through_both_file_layouts() {
    let folder = Folder::new("walk-layouts");
    write(
        folder.path(),
        &[
            ("src/lib.rs", "pub mod a; pub(crate) mod b;\n#[cfg(test)] mod tests;"),
            ("src/a.rs", "mod deep;"),
            ("src/a/deep.rs", ""),
            ("src/b/mod.rs", "mod c;"),
            ("src/b/c.rs", "#[gpu_kernel] fn k() {}"),
            ("src/tests.rs", ""),
            ("src/stray.rs", "gpu_kernel"),
        ],
    );
    let expected = ["src/a.rs", "src/a/deep.rs", "src/b/c.rs", "src/b/mod.rs", "src/lib.rs", "src/tests.rs"];
    assert_eq!(found(folder.path(), "src/lib.rs"), expected);
    assert!(walk(&folder.path().join("src/lib.rs"), &[KERNELS[0]], Tests::Left).words.contains(KERNELS[0]));
}

#[test]
fn path_attributes_and_inline_modules_are_followed() {
    let folder = Folder::new("walk-path");
    write(
        folder.path(),
        &[
            (
                "src/main.rs",
                "#[path = \"other/place.rs\"] pub mod x;\nmod inline { mod file; #[path = \"odd.rs\"] mod y; }\nmod plain;",
            ),
            ("src/other/place.rs", "mod beside;"),
            ("src/other/beside.rs", ""),
            ("src/inline/file.rs", ""),
            ("src/inline/odd.rs", ""),
            ("src/plain.rs", "#[path = \"far.rs\"] mod far; mod inner { #[path = \"in.rs\"] mod z; }"),
            ("src/far.rs", ""),
            ("src/plain/inner/in.rs", ""),
        ],
    );
    let expected = [
        "src/far.rs",
        "src/inline/file.rs",
        "src/inline/odd.rs",
        "src/main.rs",
        "src/other/beside.rs",
        "src/other/place.rs",
        "src/plain.rs",
        "src/plain/inner/in.rs",
    ];
    assert_eq!(found(folder.path(), "src/main.rs"), expected);
}

#[test]
fn includes_are_followed_and_circles_end() {
    let folder = Folder::new("walk-circle");
    write(
        folder.path(),
        &[("a.rs", "include!(\"b.in\"); #[path = \"a.rs\"] mod again;"), ("b.in", "include! { \"a.rs\" }")],
    );
    assert_eq!(found(folder.path(), "a.rs"), ["a.rs", "b.in"]);
}

#[test]
fn comments_strings_and_characters_hold_no_modules() {
    let text = r####"
        // mod a; gpu_kernel
        /* mod b; /* mod c; */ gpu_kernel */
        const S: &str = "mod d; \" gpu_kernel";
        const R: &str = r##"mod e; "# gpu_kernel"##;
        const B: &[u8] = b"mod f;";
        fn lifetime<'a>(x: &'a str) -> char { '"' }
        const Q: char = '\''; const U: char = '\u{7f}';
        mod r#real;
    "####;
    let outline = outline(text, &[KERNELS[0]], Tests::Left);
    assert!(outline.words.is_empty(), "{outline:?}");
    assert_eq!(outline.modules.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["real"]);
}

#[test]
fn unfinished_sources_are_read_to_their_end() {
    for text in [
        "/* open",
        "\"open",
        "r#\"open",
        "'",
        "'\\",
        "#[",
        "#![path = \"",
        "mod",
        "mod a",
        "}}} mod a;",
        "ä'ö'ü r#",
        "b",
        "c\"",
    ] {
        let _ = outline(text, &[KERNELS[0]], Tests::Left);
    }
}

fn target(name: &str, kind: &str, path: PathBuf) -> Target {
    Target {
        name: name.into(),
        kind: vec![kind.into()],
        src_path: path,
        edition: "2024".into(),
        required_features: vec![],
    }
}

fn package(folder: &Path, targets: Vec<Target>) -> Package {
    Package {
        id: String::new(),
        name: "my-app".into(),
        version: "0.1.0".into(),
        manifest_path: folder.join("Cargo.toml"),
        targets,
        dependencies: Vec::new(),
        features: Default::default(),
        metadata: serde_json::Value::Null,
        workspace_root: folder.to_owned(),
        active_features: Default::default(),
        library_has_kernels: false,
        library_says_contraction: false,
        library_modules: BTreeMap::new(),
        library_names: Names::default(),
        named_variables: Default::default(),
    }
}

#[test]
fn a_bin_and_an_example_of_one_name_collide_only_if_both_hold_kernels() {
    let folder = Folder::new("collide");
    write(folder.path(), &[("k.rs", "#[gpu_kernel] fn k() {}"), ("plain.rs", "fn main() {}")]);
    let at = |name: &str| folder.path().join(name);
    let both = package(
        folder.path(),
        vec![target("demo", "bin", at("k.rs")), target("demo", "example", at("k.rs"))],
    );
    let found = targets(&both);
    assert_eq!(found.candidates.len(), 1);
    assert!(
        found.collisions["bin-demo"].contains("the bin `demo` and the example `demo`"),
        "{:?}",
        found.collisions
    );

    let one = package(
        folder.path(),
        vec![target("demo", "bin", at("plain.rs")), target("demo", "example", at("k.rs"))],
    );
    let found = targets(&one);
    assert!(found.collisions.is_empty());
    assert_eq!(found.candidates[0].cargo_kind, "example");
}

#[test]
fn targets_are_named_as_the_macros_ask_for_them() {
    let folder = Folder::new("stems");
    write(folder.path(), &[("k.rs", "use my_app::f; #[gpu_kernel] fn k() {}")]);
    let k = folder.path().join("k.rs");
    let package = package(
        folder.path(),
        vec![
            target("my_app", "lib", k.clone()),
            target("my-app", "bin", k.clone()),
            target("a-test", "test", k.clone()),
            target("a_bench", "bench", k.clone()),
            target("build-script-build", "custom-build", k),
        ],
    );
    let found = targets(&package);
    let stems: Vec<_> = found.candidates.iter().map(|c| (c.stem(), c.names_library)).collect();
    let expected =
        [("bin-my_app", true), ("lib-my_app", false), ("test-a_bench", true), ("test-a_test", true)];
    assert_eq!(stems, expected.map(|(s, l)| (s.to_owned(), l)));
}

#[test]
fn unit_tests_with_kernels_are_a_target_of_their_own() {
    let folder = Folder::new("unit-tests");
    let files = [
        ("both.rs", "#[gpu_kernel] fn k() {} #[cfg(test)] mod tests;"),
        ("tests.rs", "use dev_only::f; #[gpu_kernel] fn k() {}"),
        ("plain.rs", "#[gpu_kernel] fn k() {} #[cfg(test)] mod tests { #[test] fn t() {} }"),
        ("alone.rs", "#[cfg(test)] mod tests { #[gpu_kernel] fn k() {} }"),
    ];
    write(folder.path(), &files);
    let target = |name: &str, kind: &str| target(name, kind, folder.path().join(format!("{name}.rs")));
    let all = vec![
        target("both", "bin"),
        target("plain", "bin"),
        target("alone", "lib"),
        Target { name: "test".into(), ..target("both", "test") },
    ];
    let found = targets(&package(folder.path(), all));
    let found: Vec<_> =
        found.candidates.iter().map(|c| (c.stem(), c.has_kernels, c.has_test, c.is_unit_test)).collect();
    let expected = [
        ("bin-both", true, false, false),
        ("bin-both.test", true, true, true),
        ("bin-plain", true, false, false),
        ("lib-alone", false, false, false),
        ("lib-alone.test", true, true, true),
        ("test-test", true, true, false),
    ];
    assert_eq!(found, expected.map(|(stem, kernels, test, unit)| (stem.to_owned(), kernels, test, unit)));
}

#[test]
fn a_library_that_only_the_host_names_is_not_linked() {
    let folder = Folder::new("host-only-names");
    let kernel = "#[gpu_kernel] fn k() {}";
    let host = format!("#[host_only] use my_app::f; #[cfg(not(gridwright_device))] mod host; {kernel}");
    let both = format!("#[cfg(not(gridwright_device))] mod host; #[path = \"host.rs\"] mod device; {kernel}");
    write(folder.path(), &[("host.rs", "use my_app::g;"), ("a.rs", &host), ("b.rs", &both)]);
    let at = |name: &str| folder.path().join(name);
    let targets = targets(&package(
        folder.path(),
        vec![
            target("my_app", "lib", at("none.rs")),
            target("a", "bin", at("a.rs")),
            target("b", "bin", at("b.rs")),
        ],
    ));
    let named: Vec<_> = targets.candidates.iter().map(|c| (&*c.name, c.names_library)).collect();
    assert_eq!(named, [("a", false), ("b", true), ("my_app", false)]);
    assert!(targets.files.contains(&at("host.rs")));
}

#[test]
fn variables_that_device_code_names_are_found() {
    let folder = Folder::new("variables");
    let text = "const A: &str = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/x\"); #[host_only] const B: &str = env!(\"OUT_DIR\"); \
                // env!(\"CARGO_PKG_NAME\")\n#[gpu_kernel] fn k() {}";
    write(folder.path(), &[("a.rs", text)]);
    let found = targets(&package(folder.path(), vec![target("a", "bin", folder.path().join("a.rs"))]));
    assert_eq!(found.variables.into_iter().collect::<Vec<_>>(), ["CARGO_MANIFEST_DIR"]);
}

#[test]
fn contraction_is_looked_for_in_all_of_a_targets_files() {
    let folder = Folder::new("contraction");
    let files = [
        ("says.rs", "mod kernels;"),
        ("kernels.rs", "#[gpu_kernel(fp_contract = off)] fn k() {}"),
        ("silent.rs", "#[gpu_kernel] fn k() { /* fp_contract */ }"),
    ];
    write(folder.path(), &files);
    let target = |name: &str| target(name, "test", folder.path().join(format!("{name}.rs")));
    let found = targets(&package(folder.path(), vec![target("says"), target("silent")]));
    let found: Vec<_> = found.candidates.iter().map(|c| (c.name.as_str(), c.says_contraction)).collect();
    assert_eq!(found, [("says", true), ("silent", false)]);
}

#[test]
fn the_package_is_found_in_cargos_answer() {
    let answer = br#"{"packages": [{"name": "a", "version": "1.0.0", "manifest_path": "/w/a/Cargo.toml", "targets": [],
        "dependencies": [], "metadata": null}], "workspace_root": "/w", "more": 1}"#;
    let found = metadata::package(answer, Path::new("/w/a/Cargo.toml")).unwrap();
    assert_eq!((found.name.as_str(), found.workspace_root.as_path()), ("a", Path::new("/w")));
    assert!(
        metadata::package(answer, Path::new("/w/b/Cargo.toml"))
            .unwrap_err()
            .message
            .contains("/w/b/Cargo.toml")
    );
    assert!(metadata::package(b"no json", Path::new("/w/a/Cargo.toml")).is_err());
}

#[test]
fn targets_whose_features_are_off_are_left_alone() {
    let folder = Folder::new("required");
    write(folder.path(), &[("k.rs", "#[gpu_kernel] fn k() {}")]);
    let mut example = target("demo", "example", folder.path().join("k.rs"));
    example.required_features = vec!["extra".into()];
    let mut package = package(folder.path(), vec![example]);
    assert!(targets(&package).candidates.is_empty());
    package.active_features.insert("extra".into());
    assert_eq!(targets(&package).candidates.len(), 1);
}

#[test]
fn a_target_of_instances_has_kernels() {
    let words = [KERNELS[0], INSTANCE];
    for (text, is_call) in [
        ("gridwright::instance! { kernel k = library::map<f32>; }", true),
        ("let instance = instance(!true);", false),
        ("// instance!", false),
    ] {
        let outline = outline(text, &words, Tests::Left);
        assert_eq!(
            (outline.words.contains(INSTANCE), outline.on_device),
            (is_call, usize::from(is_call)),
            "{text}"
        );
    }
}
