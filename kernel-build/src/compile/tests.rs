use std::path::{Path, PathBuf};

use super::messages::Messages;
use super::*;

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
    assert_eq!(messages.errors().as_deref(), Some("first\n\nsecond"));
}

#[test]
fn a_dependency_that_needs_std_is_named_once() {
    let output = [
        error("rand", "E0463", "error: can't find crate for `std`"),
        error("rand", "E0425", "and hundreds more"),
    ]
    .join("\n");
    let text = Messages::read(output.as_bytes()).errors().unwrap();
    assert!(text.starts_with("the device dependency `rand` needs the standard library"), "{text}");
    assert!(text.contains("default-features = false") && !text.contains("hundreds"), "{text}");
}

#[test]
fn a_run_without_messages_did_not_reach_the_compiler() {
    let messages = Messages::read(b"\n{\"reason\":\"build-finished\",\"success\":false}\n");
    assert!(!messages.reached_compiler());
    assert_eq!(messages.errors(), None);
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
    let watched = dep_info::of_dependencies(&messages, Path::new("/rust/library"));
    assert_eq!(watched.into_iter().collect::<Vec<_>>(), [Path::new("/w/dep/src")]);
    assert!(
        dep_info::of_dependencies(&messages, Path::new("/w/dep")).is_empty(),
        "the library's own sources are not watched"
    );
}

#[test]
fn cargos_words_become_one_line() {
    assert_eq!(one_line("error: no\n\n  Caused by:\n    x\n"), "error: no; Caused by:; x");
}
