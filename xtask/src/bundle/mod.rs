//! `cargo xtask bundle`: a folder that runs examples, tests and benches on a GPU machine without Rust, and the script that
//! runs it all there.

mod build;
mod elf;
mod readme;
mod reference;
mod size;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;
use fs_err as fs;
use serde::Serialize;

use crate::call::Call;
use crate::codegen::toolkit;
use crate::files;
use crate::test;
use crate::workspace::{self, Workspace};
pub(crate) use build::Profile;
use build::Program;
use elf::Needs;

#[derive(Args)]
pub(crate) struct Options {
    /// Folder to put the bundle in: a new one, or an earlier bundle, which is replaced. By default
    /// target/bundle.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Packs the bundle into FOLDER.tar.xz too.
    #[arg(long)]
    archive: bool,
}

/// File that makes a folder a bundle, and says what it was made of.
const RECORD: &str = "bundle.json";

/// What a bundle was made of, as `bundle.json` has it.
#[derive(Serialize)]
struct Record<'r> {
    version: &'r str,
    /// The commit, with a plus sign where files differ from it. None outside of git.
    commit: Option<String>,
    /// Year, month and day, UTC.
    made: String,
    compiler: &'r str,
    /// nvcc's packages, with their versions.
    nvcc: &'r [&'r str],
    needs: &'r Needs,
}

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    let folder = std::path::absolute(options.out.unwrap_or_else(|| workspace.target("bundle")))?;
    make(workspace, Profile::Release, &folder)?;
    if options.archive {
        println!("packing");
        pack(workspace, &folder)?;
    }
    println!("on the GPU machine: {}/run.sh", folder.file_name().unwrap_or_default().display());
    Ok(())
}

/// Makes the bundle, in place of an earlier one.
///
/// # Errors
/// Where the folder has something else in it, something can't be built, or the bundle is too large.
pub(crate) fn make(workspace: &Workspace, profile: Profile, folder: &Path) -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "the bundle is for Linux, and is made there");
    clear(folder)?;
    println!("[1/4] building the examples, tests and benches");
    let built = build::build(workspace, profile)?;
    println!("[2/4] compiling the reference kernels with nvcc");
    reference::compile(workspace, &built.images, &folder.join("reference"))?;
    println!("[3/4] laying out {}", folder.display());
    let mut needs = Needs::default();
    for program in &built.programs {
        needs.add(&lay_out(workspace, program, folder)?)?;
    }
    let images = files::with_extension(&built.images, "ptx")?;
    ensure!(!images.is_empty(), "the examples were built without PTX");
    for image in images {
        files::copy(&image, &folder.join("ptx"), image.file_name().as_slice())?;
    }
    let root = &workspace.root;
    files::copy(&root.join("examples/images/chelsea.png"), &folder.join("images"), &["chelsea.png"])?;
    files::copy(&root.join("xtask/src/bundle/run.sh"), folder, &["run.sh"])?;
    // A line for each example: its name, and what makes it small.
    let small = test::SMALL.iter().map(|(name, arguments)| format!("{name} {}\n", arguments.join(" ")));
    fs::write(folder.join("small.txt"), small.collect::<String>())?;
    fs::write(folder.join("README.md"), readme::text(&built.programs, &needs))?;
    let record = Record {
        version: env!("CARGO_PKG_VERSION"),
        commit: commit(workspace),
        made: workspace::today(),
        compiler: &workspace.compiler()?,
        nvcc: toolkit::PACKAGES,
        needs: &needs,
    };
    fs::write(folder.join(RECORD), serde_json::to_string_pretty(&record)? + "\n")?;
    println!("[4/4] adding up sizes");
    println!("{} in {}", size::check(folder, size::MOST)?, folder.display());
    Ok(())
}

/// Makes room: of what is there, only an earlier bundle goes.
fn clear(folder: &Path) -> anyhow::Result<()> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(error.into()),
    };
    if !is_empty {
        ensure!(folder.join(RECORD).is_file(), "{} has something else in it than a bundle", folder.display());
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    // What is interrupted can be begun again.
    fs::write(folder.join(RECORD), "{}\n")?;
    Ok(())
}

/// Puts a program where `run.sh` looks for it, without what only debuggers read.
fn lay_out(workspace: &Workspace, program: &Program, folder: &Path) -> anyhow::Result<PathBuf> {
    let folder = folder.join("bin").join(program.kind.folder());
    files::copy(&program.path, &folder, &[&program.name])?;
    let path = folder.join(&program.name);
    let strip = Call::new(workspace, "strip").arguments(["--strip-all".as_ref(), path.as_os_str()]);
    strip.run().context("`strip` is of binutils, as the linker is")?;
    Ok(path)
}

fn commit(workspace: &Workspace) -> Option<String> {
    let commit = workspace.git(&["rev-parse", "--short", "HEAD"])?;
    let is_changed = !workspace.git(&["status", "--porcelain"])?.is_empty();
    Some(if is_changed { commit + "+" } else { commit })
}

fn pack(workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        bail!("{} has no name", folder.display());
    };
    let mut archive = folder.as_os_str().to_owned();
    archive.push(".tar.xz");
    Call::new(workspace, "tar")
        // Far enough back to find in one program what it has in common with another.
        .arguments(["--use-compress-program=xz -T1 --lzma2=preset=6,dict=64MiB"])
        .arguments(["-cf".as_ref(), archive.as_os_str(), "-C".as_ref(), parent.as_os_str(), name])
        .run()?;
    println!("wrote {} of {}", size::check_packed(archive.as_ref())?, archive.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{RECORD, clear};

    #[test]
    fn only_a_bundle_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let bundle = folder.path().join("bundle");
        clear(&bundle).unwrap();
        fs::write(bundle.join("old"), "").unwrap();
        clear(&bundle).unwrap();
        assert!(!bundle.join("old").exists());

        fs::remove_file(bundle.join(RECORD)).unwrap();
        fs::write(bundle.join("thesis"), "").unwrap();
        let error = clear(&bundle).unwrap_err();
        assert!(error.to_string().contains("something else"), "{error}");
        assert!(bundle.join("thesis").exists());
    }
}
