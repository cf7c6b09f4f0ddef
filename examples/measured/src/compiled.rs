//! Peers in C: compiled when they are wanted, by whatever `cc` is.

use std::process::Command;

use anyhow::{Context, ensure};
use libloading::Library;

/// What peers in C are compiled with: as one would for the machine at hand.
pub const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fopenmp"];

/// Compiles a source with [`FLAGS`] and these, and loads it. It is never unloaded: OpenMP's threads wait in its library for more work.
///
/// # Errors
/// Without a compiler, or one that knows OpenMP.
pub fn library(source: &str, flags: &[&str]) -> anyhow::Result<&'static Library> {
    let folder = tempfile::tempdir()?;
    let [text, object, library] = ["peer.c", "peer.o", "peer.so"].map(|name| folder.path().join(name));
    std::fs::write(&text, source)?;
    let cc = |flags: &[&str]| {
        let mut cc = Command::new("cc");
        cc.args(FLAGS).args(flags);
        cc
    };
    run(cc(flags).args(["-fPIC", "-c", "-o"]).args([&object, &text]))?;
    // Linked without the flags: with `-ffast-math` the library would have this program's threads round subnormals to zero.
    run(cc(&[]).args(["-shared", "-o"]).args([&library, &object]).arg("-lm"))?;
    // SAFETY: the library was just made of a source of ours, which has no initialisers.
    let library = unsafe { Library::new(&library)? };
    Ok(Box::leak(Box::new(library)))
}

fn run(cc: &mut Command) -> anyhow::Result<()> {
    let output = cc.output().context("can't start cc")?;
    ensure!(output.status.success(), "cc: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The compiler, as it calls itself.
pub fn compiler() -> anyhow::Result<String> {
    let output = Command::new("cc").arg("--version").output().context("can't start cc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or("cc").to_owned())
}
