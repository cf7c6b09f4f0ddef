use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::messages::Messages;
use super::*;
use crate::architecture::{Architecture, Family};
use crate::llvm::Target;
use crate::lower::Lowering;
use crate::plan::{Contraction, DeviceLibrary, Root, Roots};
use crate::tests::Folder;

/// A build whose files are all in one folder.
fn planned(folder: &Path) -> (Build, DevicePackage) {
    let package = DevicePackage {
        folder: folder.to_owned(),
        manifest: "[package]".into(),
        roots: Roots { image: Root { path: folder.join("main.rs"), text: None }, library: None },
        libraries: vec![],
        lock: folder.join("Cargo.lock"),
        selection: vec!["--lib".into()],
    };
    let invocation = Invocation {
        program: "/rust/bin/cargo".into(),
        arguments: vec!["rustc".into()],
        folder: "/w/app".into(),
        removed: vec!["TARGET".into()],
        set: [("RUSTC".to_owned(), OsString::from("/rust/bin/rustc"))].into(),
    };
    let build = Build {
        architecture: Architecture::parse("sm_80").unwrap(),
        contraction: Contraction::On,
        invocation,
        configuration: vec![folder.join("config.toml")],
        raw_image: folder.join("sm_80.ptx"),
        raw_ir: folder.join("sm_80.ll"),
        dep_info: folder.join("sm_80.d"),
        root: folder.join("main.rs"),
        stamp: folder.join("sm_80.stamp"),
        stops: false,
        lowering: Lowering {
            target: Target {
                family: Family::Nvidia,
                processor: "sm_80".into(),
                features: String::new(),
                arguments: Vec::new(),
            },
            sysroot: "/rust".into(),
            unrolled: folder.join("sm_80.unrolled.ll"),
            ir: folder.join("sm_80.mended.ll"),
            image: folder.join("sm_80.mended.ptx"),
        },
        image: folder.join("bin-x.sm_80.ptx"),
    };
    (build, package)
}

fn error(package: &str, code: &str, rendered: &str) -> String {
    format!(
        r#"{{"reason":"compiler-message","package_id":"path+file:///w/{package}#0.1.0","target":{{"name":"{package}","src_path":"/w/{package}/src/lib.rs","kind":["lib"]}},"message":{{"level":"error","rendered":"{rendered}","code":{{"code":"{code}"}}}}}}"#
    )
}

#[test]
fn errors_are_shown_as_the_compiler_renders_them_and_warnings_are_not() {
    let warning = error("app", "x", "w").replace(r#""level":"error""#, r#""level":"warning""#);
    let output = format!(
        "not json\n{}\n{warning}\n{}\n",
        error("app", "E0308", "first\\n"),
        error("app", "E0425", "second")
    );
    let messages = Messages::read(output.as_bytes());
    assert!(messages.reached_compiler());
    assert_eq!(messages.errors(&[]).as_deref(), Some("first\n\nsecond"));
}

#[test]
fn a_dependency_that_needs_std_is_named_once() {
    let output = [
        error("rand", "E0463", "error: can't find crate for `std`"),
        error("rand", "E0425", "and hundreds more"),
    ]
    .join("\n");
    let text = Messages::read(output.as_bytes()).errors(&[]).unwrap();
    assert!(text.starts_with("the device dependency `rand` needs the standard library"), "{text}");
    assert!(text.contains("default-features = false") && !text.contains("hundreds"), "{text}");
}

#[test]
fn errors_of_a_library_name_it_and_the_file_to_change() {
    let library = DeviceLibrary {
        name: "klib".into(),
        version: "0.2.0".into(),
        written: "/w/klib/Cargo.toml".into(),
        plain: vec!["rand".into()],
        folder: "/t/klib".into(),
        manifest: String::new(),
        root: Root { path: "/w/klib/src/lib.rs".into(), text: None },
        flags: vec![],
    };
    let of = |package: &str, code: &str, rendered: &str| {
        let output = error(package, code, rendered);
        Messages::read(output.as_bytes()).errors(std::slice::from_ref(&library)).unwrap()
    };
    let whose = "`klib` 0.2.0 is linked with these kernels, and its own code does not compile for GPUs\n\n";
    let plain = of("klib", "E0308", "mismatched");
    assert_eq!(plain, format!("{whose}mismatched"));
    let unlinked = of("klib", "E0432", "unresolved import `rayon`");
    let line = "`device-dependencies = [\"rayon\"]` in [package.metadata.gridwright] of /w/klib/Cargo.toml";
    assert!(unlinked.starts_with(whose) && unlinked.contains(line), "{unlinked}");
    // What the library itself asks of std is told as in any code, and not as a dependency's need.
    let own = of("klib", "E0463", "error[E0463]: can't find crate for `std`");
    assert!(own.starts_with(whose) && own.contains("`#[host_only]`"), "{own}");
    let linked = of("rand", "E0463", "error[E0463]: can't find crate for `std`");
    assert!(
        linked.contains("`rand` of `klib` 0.2.0 needs") && linked.contains("in /w/klib/Cargo.toml"),
        "{linked}"
    );
    assert_eq!(of("app", "E0308", "mismatched"), "mismatched");
}

#[test]
fn a_dependency_that_allocates_is_told_how() {
    let output = error("shapes", "E0463", "error[E0463]: can't find crate for `alloc`");
    let text = Messages::read(output.as_bytes()).errors(&[]).unwrap();
    assert!(text.starts_with("the device dependency `shapes` allocates"), "{text}");
    assert!(text.contains("features = [\"alloc\"]"), "{text}");
}

#[test]
fn a_run_without_messages_did_not_reach_the_compiler() {
    let messages = Messages::read(b"\n{\"reason\":\"build-finished\",\"success\":false}\n");
    assert!(!messages.reached_compiler());
    assert_eq!(messages.errors(&[]), None);
}

#[test]
fn dep_info_lists_each_source_once() {
    let text = "/t/x.rmeta: /w/src/lib.rs /w/my\\ dir/a.rs\n\n/w/src/lib.rs:\n/w/my\\ dir/a.rs:\n\n# env-dep:CARGO_PKG_NAME=x\n";
    let sources: Vec<PathBuf> = dep_info::parse(text).collect();
    assert_eq!(sources, [Path::new("/w/src/lib.rs"), Path::new("/w/my dir/a.rs")]);
}

#[test]
fn a_failed_local_crate_has_its_folder_watched() {
    let messages = Messages::read(error("dep", "E0308", "x").as_bytes());
    let watched = dep_info::of_failed(&messages, Path::new("/rust/library"));
    assert_eq!(watched.into_iter().collect::<Vec<_>>(), [Path::new("/w/dep/src")]);
    assert!(
        dep_info::of_failed(&messages, Path::new("/w/dep")).is_empty(),
        "the library's own sources are not watched"
    );
}

#[test]
fn cargos_words_become_one_line() {
    let text = "   Compiling x\n     Running `rustc x`\nerror: no\n\n  Caused by:\n    x\n";
    assert_eq!(one_line(text), "error: no; Caused by:; x");
    assert_eq!(one_line("killed"), "killed");
}

#[test]
fn cargos_command_for_the_image_can_be_run_again() {
    let (build, package) = planned(Path::new("/t/x"));
    let errors = "       Fresh core v0.0.0
     Running `A=1 /rust/bin/rustc --crate-name dep`
   Compiling x v0.1.0
     Running `CARGO_PKG_AUTHORS='' NOTE='it'\\''s' /rust/bin/rustc '--cfg=feature=\"a b\"' --emit=llvm-ir=/t/x/sm_80.ll`
    Finished `release` profile
";
    let run = command::invocation(command::find(errors, &build).unwrap(), &build, &package).unwrap();
    assert_eq!((run.program, run.folder), ("/rust/bin/rustc".into(), "/t/x".into()));
    assert_eq!(run.arguments, ["--cfg=feature=\"a b\"", "--emit=llvm-ir=/t/x/sm_80.ll"]);
    assert_eq!(run.removed, ["TARGET"]);
    let set: Vec<_> = run.set.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    assert_eq!(set, [("CARGO_PKG_AUTHORS", ""), ("NOTE", "it's"), ("RUSTC", "/rust/bin/rustc")]);
}

#[test]
fn words_that_are_no_command_are_not_run() {
    let (build, package) = planned(Path::new("/t/x"));
    assert_eq!(command::find("     Running `rustc --crate-name dep`\n", &build), None);
    for text in ["", "/other/rustc x", "A=1", "A='1 /rust/bin/rustc", "/rust/bin/rustc \\"] {
        assert_eq!(command::invocation(text, &build, &package), None, "{text}");
    }
}

#[test]
fn a_stamp_tells_edits_of_the_crate_from_other_changes() {
    let folder = Folder::new("stamp");
    let (build, mut package) = planned(folder.path());
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in ["sm_80.ptx", "sm_80.ll", "main.rs", "dep.rs"] {
        write(name, "");
    }
    let own: BTreeSet<_> = [build.root.clone()].into();
    let linked = [folder.path().join("dep.rs")].into();
    let later = SystemTime::now() + Duration::from_secs(10);
    let stamp = Stamp::new(&build, &package, &linked, own, "A='own b' rustc", later).unwrap();
    assert_eq!((stamp.command(), stamp.linked().collect()), ("A='own b' rustc", linked));
    let read = |package: &DevicePackage| {
        Stamp::read(&build, package).map(|(found, change)| (found == stamp, change))
    };
    assert_eq!(read(&package), None, "nothing was built yet");

    stamp.write(&build, later);
    assert_eq!(read(&package), Some((true, Change::None)));
    write("main.rs", "fn main() {}");
    assert_eq!(read(&package), Some((true, Change::Own)));
    stamp.write(&build, later);
    fs::remove_file(&build.raw_image).unwrap();
    assert_eq!(read(&package), Some((true, Change::Own)), "there is no image");
    let stops = Build { stops: true, ..build.clone() };
    assert_eq!(
        Stamp::read(&stops, &package).map(|(_, change)| change),
        Some(Change::None),
        "nor should there be"
    );
    fs::remove_file(&build.root).unwrap();
    assert_eq!(read(&package), Some((true, Change::Own)), "a module's file is gone");

    package.manifest.push('\n');
    assert_eq!(read(&package), None, "another manifest");
    package.manifest.pop();
    write("config.toml", "");
    assert_eq!(read(&package), None, "another configuration of cargo");
    fs::remove_file(&build.configuration[0]).unwrap();
    assert!(read(&package).is_some());
    write("dep.rs", "fn f() {}");
    assert_eq!(read(&package), None, "another dependency");
    // As it was when the image was made: a change since then isn't overlooked.
    stamp.write(&build, later);
    assert_eq!(read(&package), None);
}

#[test]
fn a_source_that_changes_while_it_is_compiled_leaves_no_stamp() {
    let folder = Folder::new("stamp-race");
    let (build, package) = planned(folder.path());
    fs::write(&build.root, "").unwrap();
    let source: BTreeSet<_> = [build.root.clone()].into();
    let before = SystemTime::now() - Duration::from_secs(10);
    assert_eq!(Stamp::new(&build, &package, &source, BTreeSet::new(), "", before), None);
    let stamp = Stamp::new(&build, &package, &BTreeSet::new(), source, "", before).unwrap();
    stamp.write(&build, before);
    assert_eq!(Stamp::read(&build, &package), None);
}

#[test]
fn a_compiler_that_ends_on_code_says_why_in_a_line() {
    let llvm = "   Compiling x\nrustc-LLVM ERROR: Cannot select: t1: i32 = odd\n  t2: i32\nIn function: _RNvCs1234_3app4wave\nerror: could not \
                compile `x` (bin \"x\")\n\nCaused by:\n  process didn't exit successfully: `rustc` (signal: 6)\n";
    let death = Death::find(llvm).unwrap();
    assert_eq!(death, Death::Llvm("Cannot select: t1: i32 = odd, in `app::wave`".into()));
    let text = Death::Llvm("unsupported library call operation".into()).describe(&["a", "b"]);
    assert!(
        text.starts_with(
            "error: LLVM, which makes the instructions, can't compile this code: unsupported library call"
        ),
        "{text}"
    );
    assert!(text.contains("it stands in one of `a`, `b`,"), "{text}");

    let panic = "thread 'rustc' (7743) panicked at compiler/abi.rs:78:14:\ninternal error: Align\nstack backtrace:\n   0: x\n\nerror: the \
                 compiler unexpectedly panicked\n\nquery stack during panic:\n#0 [fn_abi] computing call ABI of `k::__entry`\n#1 [x] y\n";
    let death = Death::find(panic).unwrap();
    assert_eq!(
        death,
        Death::Compiler(
            "internal error: Align, at compiler/abi.rs:78:14, computing call ABI of `k::__entry`".into()
        )
    );
    assert!(!death.describe(&["k"]).contains("one of"), "it is named already");
    assert_eq!(Death::find("error: no space left on device\n"), None);
    assert_eq!(Death::find("thread 'main' panicked at build.rs:3:5:\nno network\n"), None, "a build script");
}

#[test]
fn instructions_are_made_by_the_same_command() {
    let (build, _) = planned(Path::new("/t/x"));
    for (family, emitted) in [(Family::Nvidia, "--emit=asm=/t/y"), (Family::Amd, "--emit=link=/t/y")] {
        let words = [&["a", "--emit=llvm-ir=/x.ll"], crate::plan::stop(family)].concat();
        let run =
            Invocation { arguments: words.into_iter().map(Into::into).collect(), ..build.invocation.clone() };
        let full = run.for_image(family, Path::new("/t/y"));
        assert_eq!(full.arguments, ["a", "--emit=llvm-ir=/x.ll", emitted]);
    }
}

#[test]
fn the_ir_alone_is_made_by_the_same_command() {
    let (build, _) = planned(Path::new("/t/x"));
    let words =
        ["a", "--emit=dep-info,link", "--emit=asm=/x.s", "--emit=llvm-ir=/x.ll", "--emit=dep-info=/x.d"];
    let run = Invocation { arguments: words.map(Into::into).into(), ..build.invocation };
    let alone = run.for_ir(Path::new("/t/y.ll"));
    let emitted = ["a", "--emit=llvm-ir=/t/y.ll", "--emit=link=/t/y.linked"];
    assert_eq!(alone.arguments, emitted);
    assert_eq!(alone.clone().with_lines().arguments[3], "-Cdebuginfo=line-tables-only");
    assert_eq!(alone.with_temporaries(Path::new("/t/z")).arguments[3], "-Ztemps-dir=/t/z");
}
