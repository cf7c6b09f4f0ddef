//! The commands as users call them. One crate is made and built; where the device toolchain is missing, what needs it is skipped
//! loudly, and with `GRIDWRIGHT_REQUIRE_DEVICE` it fails.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn gridwright(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-gridwright"));
    // As cargo calls it.
    command.arg("gridwright").args(words).current_dir(folder);
    command
}

/// Without what is set for this run of the tests.
fn without_variables(mut command: Command) -> Command {
    let names = std::env::vars_os().map(|(name, _)| name);
    names
        .filter(|name| name.to_string_lossy().starts_with("GRIDWRIGHT_"))
        .for_each(|name| _ = command.env_remove(name));
    command
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The output of a command that succeeds, or fails, as is said.
fn said(command: &mut Command, succeeds: bool) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.success(), succeeds, "{command:?}\n{}", text(&output));
    text(&output)
}

/// The crates that are made here share a target folder among runs, so that Gridwright is compiled once.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("new")
}

/// A new crate, with the lock file of this workspace: cargo needs no network to choose versions.
fn new_crate(folder: &Path, name: &str) -> PathBuf {
    new_crate_of(folder, name, &[])
}

fn new_crate_of(folder: &Path, name: &str, kind: &[&str]) -> PathBuf {
    said(gridwright(folder, &[&["new", name], kind, &["--path"]].concat()).arg(checkout()), true);
    let made = folder.join(name);
    fs::copy(checkout().join("Cargo.lock"), made.join("Cargo.lock")).unwrap();
    made
}

#[test]
fn a_new_crate_has_the_readmes_program_and_is_made_once() {
    let scratch = tempfile::tempdir().unwrap();
    let made = new_crate(scratch.path(), "hello-gpu");
    let mut files: Vec<_> = fs::read_dir(&made).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, [".gitignore", "Cargo.lock", "Cargo.toml", "build.rs", "src"]);
    let readme = fs::read_to_string(checkout().join("README.md")).unwrap();
    assert!(readme.contains(&fs::read_to_string(made.join("src/main.rs")).unwrap()));

    fs::write(made.join("src/main.rs"), "changed").unwrap();
    let again = said(gridwright(scratch.path(), &["new", "hello-gpu", "--path"]).arg(checkout()), false);
    assert!(again.contains("is there already"), "{again}");
    assert_eq!(fs::read_to_string(made.join("src/main.rs")).unwrap(), "changed");
}

#[test]
fn what_cannot_be_a_crate_is_not_made() {
    let scratch = tempfile::tempdir().unwrap();
    for (name, why) in [
        ("2d", "digit"),
        ("a/b", "no letter"),
        ("fn", "word of Rust"),
        ("gridwright", "depends on"),
        ("", "empty"),
    ] {
        let refused = said(gridwright(scratch.path(), &["new", name, "--path"]).arg(checkout()), false);
        assert!(refused.contains(why), "{name}: {refused}");
    }
    let elsewhere = said(gridwright(scratch.path(), &["new", "x", "--path"]).arg(scratch.path()), false);
    assert!(elsewhere.contains("is no checkout"), "{elsewhere}");
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn the_doctor_says_what_this_machine_has() {
    let scratch = tempfile::tempdir().unwrap();
    let mut plain = without_variables(gridwright(scratch.path(), &["doctor", "--json"]));
    let output = plain.output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success() && report["healthy"] == true, "{report:#}");
    let cpu = report["devices"].as_array().unwrap().last().unwrap();
    let device = gridwright::Device::cpu().unwrap();
    let processors = std::thread::available_parallelism().unwrap().get();
    assert_eq!((cpu["id"].as_str(), cpu["processors"].as_u64()), (Some("cpu"), Some(processors as u64)));
    assert_eq!(cpu["architecture"].as_str(), Some(device.info().unwrap().architecture.as_str()));
    let state = |report: &Value, name: &str| {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name);
        check.map(|check| {
            (check["state"].as_str().unwrap().to_owned(), check["found"].as_str().unwrap().to_owned())
        })
    };
    assert_eq!(state(&report, "Rust").unwrap().0, "ok");
    let has_driver = gridwright::DriverInfo::cuda().is_ok_and(|driver| driver.devices > 0);
    assert_eq!(state(&report, "CUDA driver").unwrap().0, if has_driver { "ok" } else { "missing" });

    // What is asked for and can't be had is told from what is a slip of the pen.
    plain.env("GRIDWRIGHT_DEVCE", "cpu").env("GRIDWRIGHT_DEVICE", "cpu");
    let report: Value = serde_json::from_slice(&plain.output().unwrap().stdout).unwrap();
    assert_eq!(
        (state(&report, "variable").unwrap().0, &report["healthy"]),
        ("warning".to_owned(), &Value::Bool(true))
    );
    for (variable, value) in [
        ("GRIDWRIGHT_DEVICE", "cuda:4096"),
        ("GRIDWRIGHT_TOOLCHAIN", "no-such-toolchain"),
        ("GRIDWRIGHT_ARCHITECTURES", "sm_80,voodoo2"),
        ("GRIDWRIGHT_CPU_ISA", "mmx"),
    ] {
        let output = plain.env("GRIDWRIGHT_DEVICE", "cpu").env(variable, value).output().unwrap();
        plain.env_remove(variable);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(!output.status.success() && report["healthy"] == false, "{variable}: {report:#}");
    }
}

#[test]
fn colours_are_left_out_of_pipes() {
    let scratch = tempfile::tempdir().unwrap();
    let words = said(&mut without_variables(gridwright(scratch.path(), &["doctor"])), true);
    assert!(words.contains("ok ") && words.contains("devices") && !words.contains('\u{1b}'), "{words:?}");
    let refused = said(&mut gridwright(scratch.path(), &["inspect", "saxpy"]), false);
    assert!(refused.starts_with("error:") && refused.contains("Cargo.toml"), "{refused:?}");
}

/// A package of files that are never built.
fn package(folder: &Path, dependencies: &str, programs: &[&str]) {
    let manifest = format!("[package]\nname = \"p\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    for program in programs {
        fs::write(folder.join(format!("src/bin/{program}.rs")), "fn main() {}").unwrap();
    }
}

#[test]
fn what_a_program_executed_is_asked_for_in_words_that_can_be_met() {
    let scratch = tempfile::tempdir().unwrap();
    let refused =
        |words: &[&str]| said(&mut gridwright(scratch.path(), &[&["inspect", "k"], words].concat()), false);
    package(scratch.path(), "", &["only"]);
    let words = refused(&["--executed"]);
    assert!(words.contains("`p` doesn't depend on `gridwright`"), "{words}");
    package(scratch.path(), "", &["only", "other"]);
    let words = refused(&["--executed"]);
    assert!(words.contains("Say one of --bin only, --bin other"), "{words}");
    for words in
        [&["--launch", "1"][..], &["--executed", "--ptx"], &["--counts", "x", "--executed"], &["--", "x"]]
    {
        let words = refused(words);
        assert!(words.contains("--help"), "{words}");
    }
    let words = refused(&["--counts", "nowhere"]);
    assert!(words.contains("can't read nowhere"), "{words}");

    let counts = "image 1 sm_80 3\n.version 8.3\n.target sm_80\n.entry k() { ret; }\nlaunch 1 k 2,1,1 64,1,1 1\n3 4 128 0 0 0\n";
    fs::write(scratch.path().join("counts"), counts).unwrap();
    let shown = said(&mut gridwright(scratch.path(), &["inspect", "k", "--counts", "counts"]), true);
    assert!(
        shown.contains("launches of `k`, code for sm_80") && shown.contains(".entry k() { ret; }"),
        "{shown}"
    );
    fs::write(scratch.path().join("counts"), "image 1 sm_80\n").unwrap();
    let words = refused(&["--counts", "counts"]);
    assert!(words.contains("line 1 of the counts"), "{words}");
}

/// A new crate, its build's folder, and whether code for GPUs can be compiled.
struct New {
    scratch: PathBuf,
    made: PathBuf,
    has_device: bool,
    /// Locked: other runs of these tests use the same folder.
    _turn: fs::File,
}

impl New {
    fn make(test: &str) -> Self {
        fs::create_dir_all(target()).unwrap();
        let turn = fs::File::create(target().join("turn")).unwrap();
        turn.lock().unwrap();
        let scratch = target().join("crates");
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch).unwrap();
        let made = new_crate(&scratch, "hello");
        let toolchain = gridwright_build::find_toolchain(&target().join("gridwright"));
        let required = std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value != "0");
        let has_device = match &toolchain {
            Ok(_) => true,
            Err(missing) => {
                assert!(!required, "{}", missing.message);
                // Past the test runner, which holds back what a passing test prints by macro.
                let _ =
                    writeln!(std::io::stderr(), "\nSKIPPED code for GPUs in {test}: {}\n", missing.message);
                false
            }
        };
        Self { scratch, made, has_device, _turn: turn }
    }

    fn inspect(&self, words: &[&str]) -> Command {
        on_target(gridwright(&self.made, &[&["inspect"], words].concat()))
    }
}

/// What builds a new crate, on the CPU.
fn on_target(mut command: Command) -> Command {
    command.env("CARGO_TARGET_DIR", target()).env("GRIDWRIGHT_ARCHITECTURES", "sm_80");
    // The emulator among the dependencies takes longest to be compiled.
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    command
        .env_remove("GRIDWRIGHT_SKIP_DEVICE")
        .env_remove("GRIDWRIGHT_REQUIRE_DEVICE")
        .env("GRIDWRIGHT_DEVICE", "cpu");
    command
}

/// What a program of a new crate says, which is built optimised, as for `inspect`.
fn ran(made: &Path) -> String {
    let mut run = on_target(Command::new(env!("CARGO")));
    said(run.args(["run", "--quiet", "--release"]).current_dir(made), true)
}

/// One build, of the crate that `new` makes: it runs, and its kernel is shown.
#[test]
fn a_new_crate_runs_and_its_kernel_is_shown() {
    let new = New::make("a_new_crate_runs");
    ran(&new.made);
    let shown = said(&mut new.inspect(&["saxpy", "--cpu"]), true);
    assert!(shown.contains("saxpy") && shown.contains(".cfi_startproc"), "{shown}");
    let unknown = said(&mut new.inspect(&["axpy", "--cpu"]), false);
    assert!(unknown.contains("no kernel `axpy`") && unknown.contains("saxpy"), "{unknown}");
    if !new.has_device {
        let refused = said(&mut new.inspect(&["saxpy", "--ptx"]), false);
        assert!(refused.contains("rustup"), "{refused}");
        return;
    }
    let ptx = said(&mut new.inspect(&["saxpy", "--ptx"]), true);
    assert!(ptx.trim().starts_with(".visible .entry saxpy(") && ptx.trim().ends_with('}'), "{ptx}");
    let embedded = said(&mut new.inspect(&[]), true);
    let bytes = |row: &str| {
        let row = embedded.lines().find(|line| line.contains(row)).expect("a row").to_owned();
        let digits: String = row.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<usize>().expect("bytes")
    };
    assert!(embedded.contains("sm_80, PTX"), "{embedded}");
    assert!(ptx.trim().len() < bytes("loaded for saxpy") && bytes("loaded for saxpy") <= bytes("embedded"));
    let unknown = said(&mut new.inspect(&["axpy", "--ptx"]), false);
    assert!(unknown.contains("no kernel `axpy`") && unknown.contains("--bin hello: saxpy"), "{unknown}");
    let refused = said(&mut new.inspect(&["saxpy", "--amd"]), false);
    assert!(refused.contains("architectures"), "{refused}");
}

#[test]
#[ignore = "compiles the emulator for a new crate, minutes: `cargo xtask test --step new-crates`"]
fn what_a_new_crates_launch_executes_is_counted() {
    let new = New::make("what_a_new_crates_launch_executes");
    if !new.has_device {
        return;
    }
    let executed = said(&mut new.inspect(&["saxpy", "--executed"]), true);
    assert!(executed.contains("launches of `saxpy`, code for sm_80"), "{executed}");
    // 1000 elements of 4 bytes are 125 sectors, of which 32 warps read both operands and write one.
    let loads: Vec<_> = executed.lines().filter(|line| line.contains("ld.global")).collect();
    let is_right =
        |line: &&str| line.split_whitespace().collect::<Vec<_>>().starts_with(&["32", "31.2", "125"]);
    assert!(loads.len() == 2 && loads.iter().all(is_right), "{executed}");
    let unknown = said(&mut new.inspect(&["axpy", "--executed"]), false);
    assert!(unknown.contains("launches of saxpy"), "{unknown}");
}

/// One of several ranks runs with one.
#[test]
#[ignore = "compiles what several ranks need for a new crate: `cargo xtask test --step new-crates`"]
fn a_new_crate_of_several_ranks_runs() {
    let new = New::make("a_new_crate_of_several_ranks");
    let several = new_crate_of(&new.scratch, "several", &["--distributed"]);
    let ran = ran(&several);
    assert!(ran.contains("rank 0 of 1") && ran.contains("3.14159265"), "{ran}");
}
