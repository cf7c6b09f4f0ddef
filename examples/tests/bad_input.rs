//! What a user can get wrong with the examples: a sentence that says so, a failing exit status, and nothing lost.
#![allow(clippy::expect_used)] // also in the helpers

use std::fs;
use std::process::{Command, Output};

fn sobel(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sobel"));
    command.current_dir(folder.path()).args(arguments).env("GRIDWRIGHT_DEVICE", "cpu");
    command.output().expect("the example starts")
}

#[track_caller]
fn fails_with(output: &Output, text: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains(text), "{said}");
}

#[test]
fn a_photograph_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    fails_with(&sobel(&folder, &["no-such.png"]), "can't open no-such.png");
    assert!(!folder.path().join("edges.png").exists());
}

#[test]
fn a_photograph_that_is_not_a_png() {
    let folder = tempfile::tempdir().expect("a folder");
    let png = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/images/chelsea.png")).expect("the photograph");
    let broken: [(&str, &[u8]); 3] =
        [("text.png", b"not a picture"), ("empty.png", b""), ("cut.png", &png[..1000])];
    for (name, bytes) in broken {
        fs::write(folder.path().join(name), bytes).expect("the folder is writable");
        fs::write(folder.path().join("edges.png"), "of before").expect("the folder is writable");
        fails_with(&sobel(&folder, &[name]), &format!("{name} isn't a PNG that can be read"));
        assert_eq!(
            fs::read(folder.path().join("edges.png")).ok(),
            Some(b"of before".to_vec()),
            "overwritten"
        );
    }
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    fails_with(
        &sobel(&folder, &["--output", "no/such/folder/edges.png"]),
        "can't write no/such/folder/edges.png",
    );
}

#[test]
fn edges_of_a_photograph_are_a_picture_of_the_same_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = sobel(&folder, &["--output", "out.png"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(image::image_dimensions(folder.path().join("out.png")).ok(), Some((451, 300)));
}

#[test]
fn no_elements_are_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_vector_add"))
        .args(["--len", "0"])
        .env("GRIDWRIGHT_DEVICE", "cpu")
        .output()
        .expect("the example starts");
    fails_with(&output, "zero threads");
}
