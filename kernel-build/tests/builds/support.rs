//! A small workspace in a scratch folder, and cargo run on it.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) struct Workspace {
    pub(crate) folder: PathBuf,
    /// Locked: one at a time, also among processes. They share a target folder, so that `core` and the build crate
    /// are built once.
    _turn: File,
}

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds")
}

/// The workspace, if device code can be compiled here; says loudly if it can't.
pub(crate) fn workspace(name: &str) -> Option<Workspace> {
    fs::create_dir_all(scratch()).unwrap();
    let turn = File::create(scratch().join("turn")).unwrap();
    turn.lock().unwrap();
    if let Err(missing) = gridwright_build::find_toolchain(&scratch()) {
        // Past the test runner, which holds back what a passing test prints by macro.
        let _ = writeln!(io::stderr(), "\nSKIPPED {name}: {}\n", missing.message);
        return None;
    }
    let folder = scratch().join(name);
    let _ = fs::remove_dir_all(&folder);
    let workspace = Workspace { folder, _turn: turn };
    let build = env!("CARGO_MANIFEST_DIR");
    workspace.write("Cargo.toml", "[workspace]\nmembers = [\"app\", \"common\", \"facade\"]\nresolver = \"3\"\n[workspace.package]\nversion = \"0.3.0\"\nedition = \"2024\"\n[workspace.dependencies]\ncommon = { path = \"common\" }\ngridwright = { path = \"facade\" }\n");
    workspace.write("app/Cargo.toml", &format!("[package]\nname = \"test-app\"\nversion.workspace = true\nedition.workspace = true\n[dependencies]\ncommon.workspace = true\ngridwright.workspace = true\n[build-dependencies]\ngridwright-build = {{ path = {build:?} }}\n[package.metadata.gridwright]\ndevice-dependencies = [\"common\"]\n"));
    for (name, package) in [("common", "common"), ("facade", "gridwright")] {
        workspace.write(
            &format!("{name}/Cargo.toml"),
            &format!("[package]\nname = {package:?}\nversion.workspace = true\nedition.workspace = true\n"),
        );
    }
    workspace.write("app/build.rs", "fn main() { gridwright_build::compile_kernels() }\n");
    workspace.write("facade/src/lib.rs", include_str!("fixture/facade.rs"));
    workspace.write("common/src/lib.rs", include_str!("fixture/common.rs"));
    workspace.write("app/src/lib.rs", include_str!("fixture/library.rs"));
    workspace.write("app/src/main.rs", include_str!("fixture/binary.rs"));
    workspace.write("app/examples/demo.rs", include_str!("fixture/example.rs"));
    workspace.write("app/tests/kernels.rs", include_str!("fixture/test.rs"));
    workspace.write("app/tests/data.txt", "12345");
    // With the versions of this workspace, cargo needs no network to choose some.
    if let Ok(lock) = fs::read_to_string(Path::new(build).join("../Cargo.lock")) {
        workspace.write("Cargo.lock", &lock);
    }
    Some(workspace)
}

impl Workspace {
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes the dependency `gridwright` the facade of this repository, in place of the small one for tests, and leaves
    /// the package nothing but an empty library.
    pub(crate) fn use_gridwright_itself(&self) {
        let facade = format!(
            "path = {:?}, default-features = false",
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
        );
        self.replace("Cargo.toml", "path = \"facade\"", &facade);
        self.replace("Cargo.toml", ", \"facade\"", "");
        self.write("app/src/lib.rs", "");
        for folder in ["app/examples", "app/tests", "facade"] {
            fs::remove_dir_all(self.folder.join(folder)).unwrap();
        }
    }

    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder.join(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, &text.replace(from, to));
    }

    /// Every file of the workspace.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        files
    }

    /// The target folder that all of these workspaces share.
    pub(crate) fn target() -> PathBuf {
        scratch().join("target")
    }

    pub(crate) fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&*name);
            }
        }
        for name in ["CARGO_TARGET_DIR", "DOCS_RS", "GRIDWRIGHT_REQUIRE_DEVICE", "GRIDWRIGHT_SKIP_DEVICE"] {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .args(arguments)
            .args(["-p", "test-app"])
            .env("CARGO_TARGET_DIR", Self::target())
            .env("CARGO_TERM_COLOR", "never")
            .env("GRIDWRIGHT_ARCHITECTURES", "sm_80,gfx1100")
            // The programs have cargo's own profile, of which a build says that kernels crawl.
            .env("GRIDWRIGHT_NOTES", "0")
            .envs(variables.iter().copied());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        Run::new(&self.command(arguments, variables).output().unwrap())
    }

    pub(crate) fn cargo(&self, arguments: &[&str]) -> Run {
        self.run(arguments, &[])
    }
}

/// What a run of cargo said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) succeeded: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { succeeded: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// The run, which must have succeeded.
    #[track_caller]
    pub(crate) fn good(self) -> Self {
        assert!(self.succeeded, "{}\n{}", self.out, self.err);
        self
    }
}
