//! A solution of each puzzle, and that the puzzles as they stand aren't solved.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

mod p01_add_ten;
mod p02_zip;
mod p03_difference;
mod p04_transpose;
mod p05_broadcast;
mod p06_sums_of_groups;
mod p07_mean_of_three;
mod p08_turn_around;
mod p09_prefix_sum;
mod p10_matrix_product;

use gridwright::prelude::*;

/// Runs a check in the emulator; says loudly that it is skipped where the program was built without a device toolchain.
#[host_only]
fn solved(check: fn(&Device) -> Result<(), gridwright_puzzles::Unsolved>) {
    use std::io::Write as _;

    let checked =
        Device::emulator().map_err(gridwright_puzzles::Unsolved::from).and_then(|device| check(&device));
    match checked {
        Ok(()) => {}
        Err(gridwright_puzzles::Unsolved::Failed(error @ gridwright::Error::ImageMissing { .. }))
            if std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_none() =>
        {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {error}");
        }
        Err(unsolved) => panic!("{unsolved}"),
    }
}

/// What the book shows; `GRIDWRIGHT_BLESS=1` writes it.
#[cfg(not(gridwright_device))]
#[test]
fn puzzles_are_not_solved_as_they_stand() {
    const SHOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/unsolved.txt");
    let command = || std::process::Command::new(env!("CARGO_BIN_EXE_gridwright-puzzles"));
    let output = command().env_remove("GRIDWRIGHT_DEVICE").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("0 of 10 are solved"), "{text}");
    if text.contains("no GPU code") && std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_none() {
        return;
    }
    if std::env::var_os("GRIDWRIGHT_BLESS").is_some() {
        std::fs::write(SHOWN, &text).unwrap();
    }
    // A race is told with lines of the compiled code, which change with the compiler.
    let told = |text: &str| {
        text.lines().filter(|line| !line.starts_with("race: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told(&text), told(&std::fs::read_to_string(SHOWN).unwrap()), "{SHOWN} is out of date");
    assert!(text.contains("8 turn_around: in kernel `turn_around`:\nrace: "), "{text}");
}
