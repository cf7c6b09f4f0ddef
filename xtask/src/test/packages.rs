//! What would be published: each crate builds from its package, and a program from packages in an empty folder.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, ensure};
use cargo_metadata::Package;
use fs_err as fs;

use crate::call::Call;
use crate::workspace::{PUBLISHED_FILES, Workspace};

/// Bytes of a package at most. The registry takes ten times as many, and more than this is something that nobody builds with.
const MOST: u64 = 1 << 20;

/// The program that `cargo gridwright new` writes.
const PROGRAM: &str = "cli/template/program.rs";
const BUILD_SCRIPT: &str = "cli/template/build.rs";

/// Runs the step.
pub(super) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    // Not `--workspace`: what isn't published isn't found by what depends on it.
    let names = workspace.published().flat_map(|package| ["--package", package.name.as_str()]);
    let call = Call::cargo(workspace, "package --allow-dirty").arguments(names);
    call.variable("GRIDWRIGHT_SKIP_DEVICE", "1").run_quietly()?;

    let folder = tempfile::tempdir()?;
    let mut patches = String::from("[patch.crates-io]\n");
    for package in workspace.published() {
        let unpacked = unpack(workspace, package, folder.path())?;
        let path = folder.path().join(unpacked);
        let path = path.to_str().context("the folder of temporary files isn't UTF-8")?;
        let _ = writeln!(patches, "{} = {{ path = {path:?} }}", package.name);
    }
    program(workspace, folder.path(), &patches)
}

/// Unpacks a package, and checks what is in it. Returns the folder's name.
fn unpack(workspace: &Workspace, package: &Package, folder: &Path) -> anyhow::Result<String> {
    let name = format!("{}-{}", package.name, package.version);
    let file = workspace.metadata.target_directory.join("package").join(format!("{name}.crate"));
    let size = fs::metadata(&file).with_context(|| format!("cargo made no {file}"))?.len();
    ensure!(size <= MOST, "{file} has {size} bytes, of {MOST} at most: its manifest includes too much");
    Call::new(workspace, "tar").arguments(["-xzf", file.as_str(), "-C"]).arguments([folder]).run()?;
    for part in PUBLISHED_FILES {
        ensure!(folder.join(&name).join(part).is_file(), "{file} has no {part}");
    }
    println!("{name}: {} KiB", size.div_ceil(1024));
    Ok(name)
}

/// Builds a program that depends on versions, and runs it. Where the device toolchain is, its kernel is compiled for GPUs too.
fn program(workspace: &Workspace, folder: &Path, patches: &str) -> anyhow::Result<()> {
    let version = &workspace.member("gridwright")?.version;
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[dependencies]\ngridwright = \"{version}\"\n\n\
         [build-dependencies]\ngridwright-build = \"{version}\"\n"
    );
    fs::create_dir(folder.join("src"))?;
    fs::create_dir(folder.join(".cargo"))?;
    // Not in the manifest, whose patches device builds don't have.
    fs::write(folder.join(".cargo/config.toml"), patches)?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(workspace.root.join(PROGRAM), folder.join("src/main.rs"))?;
    fs::copy(workspace.root.join(BUILD_SCRIPT), folder.join("build.rs"))?;
    // The versions that everything else is tested with.
    fs::copy(workspace.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let call = Call::cargo(workspace, "run --quiet").directory(folder).variable("GRIDWRIGHT_DEVICE", "cpu");
    call.variable("CARGO_TARGET_DIR", workspace.target("packages")).passes("a program of them runs")
}
