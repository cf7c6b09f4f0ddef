//! Runs the body of a test in a process of its own, which finds the library as a CUDA program would.

use std::path::PathBuf;
use std::process::Command;

const MARK: &str = "GRIDWRIGHT_TEST_OF_DRIVER";

/// In the test's own process: runs `body` in another one, and returns what that printed. There: runs `body`, and ends.
pub(crate) fn alone(test: &str, variables: &[(&str, &str)], body: impl FnOnce()) -> String {
    if std::env::var(MARK).is_ok_and(|name| name == test) {
        body();
        std::process::exit(0);
    }
    let test_program = std::env::current_exe().expect("a test knows its program");
    let built = test_program.with_file_name("libgridwright_emulated_cuda.so");
    assert!(built.exists(), "cargo builds {} for this test", built.display());
    let folder = tempfile::tempdir().expect("a folder for the library");
    for name in ["libcuda.so", "libcuda.so.1"] {
        std::os::unix::fs::symlink(&built, folder.path().join(name)).expect("a link");
    }
    let mut paths = vec![folder.path().to_owned()];
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    paths.extend(std::env::split_paths(&known).filter(|path| *path != PathBuf::new()));
    let output = Command::new(&test_program)
        .args([test, "--exact", "--nocapture"])
        .env(MARK, test)
        .env("LD_LIBRARY_PATH", std::env::join_paths(paths).expect("paths without colons"))
        .envs(variables.iter().copied())
        .output()
        .expect("the test's program starts");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{test}: {}\n{said}", output.status);
    // Without it the name is wrong, and nothing was tested.
    assert!(said.contains("running 1 test"), "{said}");
    said.into_owned()
}
