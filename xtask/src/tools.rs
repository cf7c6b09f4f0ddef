//! The programs that steps call, and how to get one that isn't there.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use anyhow::{Error, anyhow};

/// How to get the programs. What isn't here came with Rust or was built by us.
const TOOLS: &[(&str, &str)] = &[
    ("apt-get", "it is Debian's and Ubuntu's: elsewhere install what it would have installed yourself"),
    ("cargo", "install Rust from https://rustup.rs"),
    ("clang", INSTALL),
    ("dpkg", "it is Debian's and Ubuntu's: this step needs such a system"),
    ("g++", "install a C++ compiler: on Debian and Ubuntu `apt-get install g++`"),
    ("git", INSTALL),
    ("ln", INSTALL),
    (
        "python3",
        "install Python 3 with its package `venv`: on Debian and Ubuntu `apt-get install python3-venv`",
    ),
    ("rustc", "install Rust from https://rustup.rs"),
    (
        "rustup",
        "install it from https://rustup.rs, or set GRIDWRIGHT_RUST_SRC to the sources of Rust's library and \
         GRIDWRIGHT_TOOLCHAIN to the toolchain that they are of",
    ),
    ("strip", "install your system's binutils: on Debian and Ubuntu `apt-get install binutils`"),
    ("tar", INSTALL),
];

const INSTALL: &str = "install your system's package of that name";

/// Why a program couldn't be started in a folder, in a sentence that says what to do.
pub(crate) fn not_started(program: &OsStr, folder: Option<&Path>, error: io::Error) -> Error {
    if error.kind() != io::ErrorKind::NotFound {
        return Error::new(error);
    }
    // The system has one error for both.
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return anyhow!("there is no folder {}", folder.display());
    }
    let name = program.display();
    match TOOLS.iter().find(|(tool, _)| program == *tool) {
        Some((_, how)) => anyhow!("there is no `{name}` here: {how}"),
        None if Path::new(program).components().count() > 1 => anyhow!("there is no {name}"),
        None => anyhow!("there is no `{name}` here: install it, or put its folder on the PATH"),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::io;
    use std::path::Path;

    use super::{TOOLS, not_started};

    fn told(program: &str, folder: &str) -> String {
        let error = io::Error::from(io::ErrorKind::NotFound);
        not_started(OsStr::new(program), Some(Path::new(folder)), error).to_string()
    }

    #[test]
    fn each_tool_is_told_with_how_to_get_it() {
        for (tool, how) in TOOLS {
            assert_eq!(told(tool, "."), format!("there is no `{tool}` here: {how}"));
        }
        assert!(told("rustup", ".").contains("https://rustup.rs"));
        assert!(told("python3", ".").contains("apt-get install python3-venv"));
        assert!(told("valgrind", ".").contains("install it, or put its folder on the PATH"));
        assert_eq!(told("target/bin/scan", "."), "there is no target/bin/scan");
    }

    #[test]
    fn a_folder_that_is_not_there_is_no_tool_that_is_not_there() {
        assert_eq!(told("cargo", "no/such/folder"), "there is no folder no/such/folder");
    }

    #[test]
    fn other_errors_stay_what_they_are() {
        let error = io::Error::from(io::ErrorKind::PermissionDenied);
        let told = not_started(OsStr::new("cargo"), None, error).to_string();
        assert_eq!(told, io::Error::from(io::ErrorKind::PermissionDenied).to_string());
    }
}
