use std::path::Path;

use super::*;
use crate::tests::Folder;

fn chip(name: &str) -> Architecture {
    Architecture::parse(name).unwrap()
}

/// A program that says what ptxas says of its release, and otherwise runs commands of a shell.
#[cfg(unix)]
fn pretended(folder: &Path, release: &str, otherwise: &str) -> Environment {
    use std::os::unix::fs::PermissionsExt as _;

    let program = folder.join("ptxas");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release {release}, V{release}.0'; exit 0; fi\n{otherwise}\n"
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    Environment::from([("GRIDWRIGHT_PTXAS", folder.to_str().unwrap())])
}

#[test]
fn a_missing_ptxas_is_said_with_what_to_do() {
    let none = Environment::from([("PATH", "/nowhere")]);
    if let Err(text) = Assembler::find(&none) {
        assert!(text.starts_with("there is no ptxas") && text.contains("GRIDWRIGHT_PTXAS"), "{text}");
    }
    let wrong = Environment::from([("GRIDWRIGHT_PTXAS", "/nowhere")]);
    assert_eq!(Assembler::find(&wrong).unwrap_err(), "GRIDWRIGHT_PTXAS is /nowhere, and there is no ptxas");
}

#[cfg(unix)]
#[test]
fn a_release_that_is_wrong_in_what_nothing_avoids_is_known() {
    let folder = Folder::new("ptxas-release");
    let release = |release: &str| Assembler::find(&pretended(folder.path(), release, "exit 1")).unwrap();
    assert!(release("12.8").fault(&chip("sm_90")).is_some());
    assert_eq!(release("12.8").release(), "12.8");
    assert_eq!(release("12.4").fault(&chip("sm_90")), None, "all that is known of it is avoided");
    assert_eq!(release("13.5").fault(&chip("sm_90")), None);
}

#[cfg(unix)]
#[test]
fn what_ptxas_says_or_fails_to_write_is_told() {
    let folder = Folder::new("ptxas-fails");
    let (ptx, cubin) = (folder.path().join("k.sm_80.ptx"), folder.path().join("k.sm_80.sm_90.cubin"));
    fs::write(&ptx, ".version 7.0\n").unwrap();
    let made = |otherwise: &str| {
        let assembler = Assembler::find(&pretended(folder.path(), "13.5", otherwise)).unwrap();
        assembler.assemble(&ptx, &chip("sm_90"), &cubin).unwrap_err()
    };
    assert!(made("echo \"ptxas fatal: $3\" >&2; exit 3").ends_with("ptxas fatal: -arch=sm_90"));
    assert!(made("printf x > \"$5\"").contains("wrote no machine code"));
    assert!(made("exit 0").starts_with("could not write"));
    assert!(!cubin.exists());
}

#[test]
fn spills_are_read_from_what_ptxas_says() {
    let said = "ptxas info    : Compiling entry function 'a' for 'sm_90'\nptxas info    : Function properties for a\n    0 bytes stack frame, \
                0 bytes spill stores, 0 bytes spill loads\nptxas info    : Compiling entry function 'b' for 'sm_90'\n    8 bytes stack frame, \
                12 bytes spill stores, 16 bytes spill loads\n";
    assert_eq!(spills(said), [("b".to_owned(), 12)]);
    assert_eq!(spills("nothing of the kind"), []);
}
