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
    succeeds(&output);
    assert_eq!(image::image_dimensions(folder.path().join("out.png")).ok(), Some((451, 300)));
}

/// The examples that take `--len`.
const OF_VECTORS: [&str; 5] = [
    env!("CARGO_BIN_EXE_block_sum"),
    env!("CARGO_BIN_EXE_histogram"),
    env!("CARGO_BIN_EXE_reduction"),
    env!("CARGO_BIN_EXE_scan"),
    env!("CARGO_BIN_EXE_vector_add"),
];
/// The examples that take `--rows` and `--cols`.
const OF_MATRICES: [&str; 2] = [env!("CARGO_BIN_EXE_matrix_mul"), env!("CARGO_BIN_EXE_transpose")];

/// On the CPU, from the path that cargo gave the example.
fn sample(path: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(path);
    command.args(arguments).env("GRIDWRIGHT_DEVICE", "cpu").output().expect("the example starts")
}

#[test]
fn no_elements_are_refused() {
    for path in OF_VECTORS {
        // Of threads, or of workgroups.
        fails_with(&sample(path, &["--len", "0"]), "zero ");
    }
}

#[test]
fn matrices_without_rows_or_columns_are_refused() {
    for path in OF_MATRICES {
        for size in ["--rows", "--cols"] {
            fails_with(&sample(path, &[size, "0"]), "zero threads");
        }
    }
}

#[test]
fn sizes_that_no_memory_holds_are_refused() {
    for path in OF_VECTORS {
        fails_with(&sample(path, &["--len", "18446744073709551615"]), "at most");
        fails_with(&sample(path, &["--len", "18446744073709551616"]), "number too large");
    }
    for path in OF_MATRICES {
        fails_with(&sample(path, &["--rows", "18446744073709551615"]), "at most 16384");
    }
}

#[test]
fn the_smallest_sizes_are_taken() {
    for path in OF_VECTORS {
        succeeds(&sample(path, &["--len", "1"]));
    }
    succeeds(&sample(env!("CARGO_BIN_EXE_transpose"), &["--rows", "1", "--cols", "1"]));
    // A sum of no products is zero.
    for inner in ["0", "1"] {
        let sizes = ["--rows", "1", "--cols", "1", "--inner", inner];
        succeeds(&sample(env!("CARGO_BIN_EXE_matrix_mul"), &sizes));
    }
}

#[track_caller]
fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
