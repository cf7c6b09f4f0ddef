//! Peers in C and ISPC: compiled when they are wanted, by whatever `cc` and `ispc` are.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use libloading::Library;

/// What peers in C are compiled with: as one would for the machine at hand.
pub const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fopenmp"];

/// What peers in ISPC are compiled with.
const FLAGS_OF_ISPC: [&str; 3] = ["-O3", "--pic", "--woff"];

/// Compiles a source with [`FLAGS`] and these, and loads it. It is never unloaded: OpenMP's threads wait in its library for more work.
///
/// # Errors
/// Without a compiler, or one that knows OpenMP.
pub fn library(source: &str, flags: &[&str]) -> anyhow::Result<&'static Library> {
    loaded(source, |text, object| {
        run(Command::new("cc")
            .args(FLAGS)
            .args(flags)
            .args(["-fPIC", "-x", "c", "-c", "-o"])
            .args([object, text]))
    })
}

/// Compiles a source in ISPC for this machine's vectors, with these flags, and loads it, as [`library`] does.
///
/// # Errors
/// With what the compilers say.
pub fn library_of_ispc(source: &str, flags: &[&str]) -> anyhow::Result<&'static Library> {
    loaded(source, |text, object| {
        run(Command::new("ispc").args(FLAGS_OF_ISPC).args(flags).arg("-o").args([object, text]))
    })
}

/// Compiles a source by `compile`, which gets the path of the text and that of the object, and loads it.
fn loaded(
    source: &str,
    compile: impl FnOnce(&Path, &Path) -> anyhow::Result<()>,
) -> anyhow::Result<&'static Library> {
    let folder = tempfile::tempdir()?;
    let [text, object, library] = ["peer", "peer.o", "peer.so"].map(|name| folder.path().join(name));
    std::fs::write(&text, source)?;
    compile(&text, &object)?;
    // Linked without the flags: with `-ffast-math` the library would have this program's threads round subnormals to zero.
    run(Command::new("cc").args(FLAGS).args(["-shared", "-o"]).args([&library, &object]).arg("-lm"))?;
    // SAFETY: the library was just made of a source of ours, which has no initialisers.
    let library = unsafe { Library::new(&library)? };
    Ok(Box::leak(Box::new(library)))
}

fn run(compiler: &mut Command) -> anyhow::Result<()> {
    let name = compiler.get_program().display().to_string();
    let output = compiler.output().with_context(|| format!("can't start {name}"))?;
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The compiler, as it calls itself.
pub fn compiler() -> anyhow::Result<String> {
    version("cc").context("can't start cc")
}

/// ISPC's compiler, as it calls itself. None where there is none.
pub fn version_of_ispc() -> Option<String> {
    version("ispc").ok()
}

fn version(program: &str) -> std::io::Result<String> {
    let output = Command::new(program).arg("--version").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or(program).to_owned())
}
