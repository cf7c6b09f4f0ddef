//! Stage 3, *toolchain*: which nightly compiler and which library sources build the device code.
//!
//! Nothing is installed or downloaded here: what is missing is said, with the command that gets it.

mod probe;
mod sources;
#[cfg(test)]
mod tests;
mod version;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::Environment;
use crate::llvm;
use version::TESTED;
pub use version::Version;

/// The nightly that is tested, as rustup names it: the one after its last commit's date.
pub const PINNED: &str = "nightly-2026-05-20";

/// A compiler that can build for GPUs, with the sources of its library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The choice's origin: a toolchain's name or a variable's.
    pub name: String,
    /// The compiler's folder.
    pub sysroot: PathBuf,
    /// The compiler's version, as it says itself.
    pub version: Version,
    /// The `library` folder that `core` is built from.
    pub library: PathBuf,
    /// The paths to watch: when one of these changes, the choice may too.
    pub watch: Vec<PathBuf>,
}

impl Toolchain {
    /// A program of the toolchain.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        program(&self.sysroot, name)
    }

    /// Whether its LLVM makes instructions of IR, for which the compiler then needn't. Passes of a compiler that nobody tested may have
    /// other names.
    pub(crate) fn makes_instructions(&self) -> bool {
        self.version.is_tested() && llvm::library(&self.sysroot).is_some()
    }

    /// A warning about a compiler that was taken untested, by itself or since the user names it; `None` for a tested one.
    pub fn remark(&self) -> Option<String> {
        (!self.version.is_tested()).then(|| {
            format!(
                "GPU code is compiled by {}, and tested with {TESTED}: where it doesn't compile or is wrong, run `rustup toolchain \
                 install {PINNED} --component rust-src`",
                self.version
            )
        })
    }

    /// Tries whether the compiler takes the flags of some builds, each with the target that it is for: a tested one does.
    ///
    /// # Errors
    /// What it says of the first that it doesn't take.
    pub(crate) fn probe(&self, builds: &[(&str, Vec<String>)]) -> Result<(), String> {
        if self.version.is_tested() {
            return Ok(());
        }
        builds.iter().try_for_each(|(target, flags)| {
            probe::takes(&self.program("rustc"), target, flags).map_err(|said| {
                format!(
                    "{} doesn't take the flags that GPU code is compiled with: {said}: run `rustup toolchain install {PINNED} \
                     --component rust-src`",
                    self.version
                )
            })
        })
    }

    /// Whether the sources are the toolchain's own, which cargo finds by itself.
    pub(crate) fn has_own_sources(&self) -> bool {
        self.library == sources::own(&self.sysroot)
    }
}

fn program(sysroot: &Path, name: &str) -> PathBuf {
    sysroot.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Why GPU code can't be compiled on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is missing, and the command that gets it.
    pub message: String,
    /// The paths to watch, which exist and change when the missing part is installed. A path that isn't there
    /// would make cargo compile the package on every build.
    pub watch: Vec<PathBuf>,
}

/// Finds the compiler and its library sources. `cache` is a folder where an archive of sources may
/// be unpacked.
pub(crate) fn find(environment: &Environment, cache: &Path) -> Result<Toolchain, Missing> {
    let (name, sysroot, version) = compiler(environment)?;
    let library = sources::find(environment, &name, &sysroot, &version, cache)?;
    let watch =
        [program(&sysroot, "rustc")].into_iter().chain(environment.path("GRIDWRIGHT_RUST_SRC")).collect();
    Ok(Toolchain { name, sysroot, version, library, watch })
}

fn compiler(environment: &Environment) -> Result<(String, PathBuf, Version), Missing> {
    let home = rustup_home(environment);
    let watch = home.iter().map(|h| h.join("update-hashes")).filter(|p| p.exists()).collect();
    if let Some(wanted) = environment.get("GRIDWRIGHT_TOOLCHAIN") {
        let wanted = wanted.to_string_lossy().into_owned();
        return match installed(&wanted, home.as_deref(), environment) {
            // What the user names is taken untested.
            Some((sysroot, version)) => Ok((wanted, sysroot, version)),
            None => Err(Missing {
                message: format!(
                    "GRIDWRIGHT_TOOLCHAIN names the toolchain `{wanted}`, which is not installed: run `rustup toolchain \
                     install {wanted} --component rust-src`"
                ),
                watch,
            }),
        };
    }
    let mut untested = None;
    for name in [PINNED, "nightly"] {
        match installed(name, home.as_deref(), environment) {
            Some((sysroot, version)) if version.is_tested() => {
                return Ok((name.to_owned(), sysroot, version));
            }
            Some((sysroot, version)) => untested = Some((name, sysroot, version)),
            None => {}
        }
    }
    // Without rustup, the compiler that builds the host may do.
    if let Some((sysroot, version)) = outer(environment).filter(|(_, version)| version.is_tested()) {
        return Ok(("the compiler of this build".to_owned(), sysroot, version));
    }
    let found = match untested {
        // What it compiles may be right, and a warning says that nobody has looked.
        Some((name, sysroot, version)) if version.is_newer() => {
            return Ok((name.to_owned(), sysroot, version));
        }
        Some((name, _, version)) => {
            format!("the installed `{name}` is {version}, and GPU code is tested with {TESTED}")
        }
        None => "GPU code needs a nightly Rust compiler".to_owned(),
    };
    Err(Missing {
        message: format!("{found}: run `rustup toolchain install {PINNED} --component rust-src`"),
        watch,
    })
}

fn rustup_home(environment: &Environment) -> Option<PathBuf> {
    environment.path("RUSTUP_HOME").or_else(|| Some(environment.home()?.join(".rustup")))
}

/// The folder and the version of an installed toolchain. Rustup isn't asked: it would take longer
/// than the look, and it may install what isn't there.
fn installed(name: &str, home: Option<&Path>, environment: &Environment) -> Option<(PathBuf, Version)> {
    let mut folders = Vec::new();
    if Path::new(name).is_absolute() {
        folders.push(PathBuf::from(name));
    } else if let Some(toolchains) = home.map(|h| h.join("toolchains")) {
        folders.push(toolchains.join(name));
        match environment.get("HOST") {
            Some(host) => folders.push(toolchains.join(format!("{name}-{}", host.to_string_lossy()))),
            // Outside of a build script there is no such variable.
            None => folders.extend(of_this_machine(&toolchains, name)),
        }
    }
    folders.into_iter().find_map(|folder| {
        let version = Version::of(&program(&folder, "rustc"))?;
        Some((folder, version))
    })
}

/// `nightly-x86_64-…` for `nightly`.
fn of_this_machine(toolchains: &Path, name: &str) -> Vec<PathBuf> {
    let prefix = format!("{name}-{}-", std::env::consts::ARCH);
    let entries = fs::read_dir(toolchains).into_iter().flatten().filter_map(Result::ok);
    entries.filter(|e| e.file_name().to_string_lossy().starts_with(&prefix)).map(|e| e.path()).collect()
}

/// The compiler that cargo uses for the host.
fn outer(environment: &Environment) -> Option<(PathBuf, Version)> {
    let output = Command::new(environment.path("RUSTC")?).args(["--print", "sysroot"]).output().ok()?;
    let sysroot = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let version = Version::of(&program(&sysroot, "rustc"))?;
    Some((sysroot, version))
}
