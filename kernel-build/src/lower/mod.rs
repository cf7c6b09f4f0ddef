//! Stage *lower*: mended LLVM IR → PTX or a code object, by the LLVM of the device toolchain itself.
//!
//! With the same processor, features and arguments the same instructions come out as by rustc. Code objects are linked by the
//! toolchain's `rust-lld`, as rustc links them.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::architecture::Family;
use crate::compile::{Failure, cannot};
use crate::files::write_if_changed;
use crate::llvm::{self, Target};

/// What is told to LLVM, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lowering {
    pub(crate) target: Target,
    /// The toolchain's folder.
    pub(crate) sysroot: PathBuf,
    /// Where the IR is left whose loops are unrolled.
    pub(crate) unrolled: PathBuf,
    /// Where the IR is left that is compiled, and what becomes of it.
    pub(crate) ir: PathBuf,
    pub(crate) image: PathBuf,
}

/// The image of a program's IR. What an earlier build made of the same is taken.
pub(crate) fn lower(lowering: &Lowering, ir: &str) -> Result<Vec<u8>, Failure> {
    let Lowering { sysroot, image, .. } = lowering;
    let library = llvm::library(sysroot).ok_or_else(|| {
        Failure::Machine(format!(
            "what LLVM compiles wrong is compiled by the toolchain's own LLVM in another form, and {} has no libLLVM",
            sysroot.join("lib").display()
        ))
    })?;
    // Whatever decides what comes out stands in the file: if it is the same, so is the image.
    let record = format!("; {} {}\n{ir}", library.display(), lowering.target);
    let is_new =
        write_if_changed(&lowering.ir, record.as_bytes()).map_err(|e| cannot("write", &lowering.ir, &e))?;
    if !is_new && let Ok(image) = fs::read(image) {
        return Ok(image);
    }
    let _ = fs::remove_file(image);
    let bytes = llvm::emit(&library, &lowering.target, ir)
        .map_err(|text| Failure::Code(format!("error: LLVM doesn't compile the code: {text}")))?;
    match lowering.target.family {
        Family::Nvidia => fs::write(image, &bytes).map_err(|e| cannot("write", image, &e))?,
        Family::Amd => link(lowering, &bytes)?,
    }
    fs::read(image).map_err(|e| cannot("read", image, &e))
}

/// Makes a code object of an object file.
fn link(lowering: &Lowering, object: &[u8]) -> Result<(), Failure> {
    let input = lowering.image.with_extension("o");
    fs::write(&input, object).map_err(|e| cannot("write", &input, &e))?;
    let linker = linker(&lowering.sysroot).ok_or_else(|| {
        Failure::Machine(format!("the toolchain in {} has no rust-lld", lowering.sysroot.display()))
    })?;
    let mut command = Command::new(&linker);
    command.args(["-flavor", "gnu", "-shared", "--gc-sections", "-o"]).arg(&lowering.image).arg(&input);
    let output = command.output().map_err(|e| cannot("run", &linker, &e))?;
    let _ = fs::remove_file(&input);
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::Machine(String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")))
}

/// The linker of a toolchain, in the folder of its host.
fn linker(sysroot: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(sysroot.join("lib/rustlib")).ok()?.filter_map(Result::ok);
    hosts
        .map(|host| host.path().join("bin").join(format!("rust-lld{}", std::env::consts::EXE_SUFFIX)))
        .find(|linker| linker.is_file())
}
