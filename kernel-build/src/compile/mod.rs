//! Stage 5, *compile*: runs planned builds → raw images, or what went wrong and whose fault it is.

mod command;
mod death;
mod dep_info;
mod messages;
mod remedies;
mod stamp;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::write_if_changed;
use crate::plan::{Build, DevicePackage, Invocation};
pub(crate) use death::Death;
use messages::Messages;
use stamp::{Change, Stamp};

/// What one build left behind.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The image as the compiler wrote it, or how it ended on the IR; none where it was to end there.
    pub(crate) image: Option<Result<Vec<u8>, Death>>,
    /// The LLVM IR of the whole program after optimisation.
    pub(crate) ir: String,
    /// The compiler's command for the image's crate.
    again: Option<Invocation>,
}

impl Compiled {
    /// The image as the compiler makes it now, where it was to end on the IR, or how it ends; `None` if it says nothing.
    pub(crate) fn by_compiler(&self, build: &Build) -> Option<Result<Vec<u8>, Death>> {
        let family = build.architecture.family();
        let output = self.again.clone()?.for_image(family, &build.raw_image).command().output().ok()?;
        if output.status.success() {
            return fs::read(&build.raw_image).ok().map(Ok);
        }
        Death::find(&String::from_utf8_lossy(&output.stderr)).map(Err)
    }

    /// The optimised IR with lines of the sources, for a problem that is to name one: compiled again, as lines change code.
    pub(crate) fn ir_with_lines(&self, build: &Build) -> Option<String> {
        let file = build.raw_ir.with_extension("lines.ll");
        let output = self.again.clone()?.for_ir(&file).with_lines().command().output().ok()?;
        let ir = output.status.success().then(|| fs::read(&file).ok())??;
        Some(String::from_utf8_lossy(&ir).into_owned())
    }
}

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The user's code, or one of its dependencies, doesn't compile for the device: the compiler's
    /// own words.
    Code(String),
    /// Something around it: no network, no disk, a broken toolchain.
    Machine(String),
}

/// The result of a build, and the files that it depends on.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) result: Result<Compiled, Failure>,
    pub(crate) watch: BTreeSet<PathBuf>,
}

/// Writes a device package's files.
pub(crate) fn write(package: &DevicePackage) -> Result<(), Failure> {
    let manifest = package.folder.join("Cargo.toml");
    write_if_changed(&manifest, package.manifest.as_bytes()).map_err(|e| cannot("write", &manifest, &e))?;
    for library in &package.libraries {
        let manifest = library.folder.join("Cargo.toml");
        write_if_changed(&manifest, library.manifest.as_bytes())
            .map_err(|e| cannot("write", &manifest, &e))?;
    }
    for (path, text) in generated(package) {
        write_if_changed(path, text.as_bytes()).map_err(|e| cannot("write", path, &e))?;
    }
    if let Ok(lock) = fs::read(&package.lock) {
        // The inner cargo changes its copy, so a second one tells whether the user's has changed.
        let seen = package.folder.join("user.lock");
        let copy = package.folder.join("Cargo.lock");
        if write_if_changed(&seen, &lock).map_err(|e| cannot("write", &seen, &e))? || !copy.exists() {
            write_if_changed(&copy, &lock).map_err(|e| cannot("write", &copy, &e))?;
        }
    }
    Ok(())
}

/// The root files that are written here.
fn generated(package: &DevicePackage) -> impl Iterator<Item = (&Path, &str)> {
    let of_libraries = package.libraries.iter().map(|library| &library.root);
    package
        .roots
        .generated()
        .chain(of_libraries.filter_map(|root| Some((root.path.as_path(), root.text.as_deref()?))))
}

/// Cargo's answer to a question about a package; `None` if it has none, which the build itself says better.
pub(crate) fn ask(package: &DevicePackage, invocation: &Invocation) -> Option<Vec<u8>> {
    write(package).ok()?;
    let answer = |invocation: Invocation| {
        let output = invocation.command().output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    answer(invocation.offline()).or_else(|| answer(invocation.clone()))
}

/// Runs one build, or as much of it as the last one's stamp says is needed. `library` is where the compiler's
/// own sources lie: they are not watched.
pub(crate) fn run(build: &Build, package: &DevicePackage, library: &Path) -> Outcome {
    let stamp = match Stamp::read(build, package) {
        Some((stamp, Change::None)) => Some(stamp),
        earlier => {
            stamp::remove(build);
            earlier.and_then(|(stamp, _)| again(build, package, stamp))
        }
    };
    let mut outcome = match stamp {
        Some(stamp) => {
            let result = read(build, package, Some(stamp.command()));
            Outcome { result, watch: stamp.linked().chain(stamp.own.clone()).collect() }
        }
        None => with_cargo(build, package, library),
    };
    // A root that was written here changes with the package's manifest alone, which is watched.
    outcome.watch.retain(|file| !generated(package).any(|(path, _)| path == *file));
    outcome
}

/// Compiles the image's crate by the command of an earlier build. Whatever goes wrong, cargo says it better.
fn again(build: &Build, package: &DevicePackage, mut stamp: Stamp) -> Option<Stamp> {
    let started = SystemTime::now();
    let invocation = command::invocation(stamp.command(), build, package)?;
    let output = invocation.command().output().ok()?;
    if !output.status.success() {
        return None;
    }
    stamp.own = dep_info::of_image(build)?;
    stamp.write(build, started);
    Some(stamp)
}

/// Builds the image and what it is linked with, as far as cargo doesn't find that done.
fn with_cargo(build: &Build, package: &DevicePackage, library: &Path) -> Outcome {
    let started = SystemTime::now();
    let (messages, succeeded, errors) = match attempts(&build.invocation) {
        Ok(attempt) => attempt,
        Err(e) => {
            let failure = cannot("run", &build.invocation.program, &e);
            return Outcome { result: Err(failure), watch: BTreeSet::new() };
        }
    };
    let mut watch = dep_info::of_linked(&messages, build, library);
    let command = command::find(&errors, build);
    let result = if succeeded {
        if let Some(own) = dep_info::of_image(build) {
            let command = command.unwrap_or_default();
            if let Some(stamp) = Stamp::new(build, package, &watch, own.clone(), command, started) {
                stamp.write(build, started);
            }
            watch.extend(own);
        }
        read(build, package, command)
    } else {
        watch.extend(dep_info::of_failed(&messages, library));
        // What panicked has told cargo too, without the reason.
        match (Death::find(&errors), messages.errors(&package.libraries)) {
            (Some(death), _) => {
                let result = ir_alone(build, package, command, &death);
                watch.extend(dep_info::of_image(build).into_iter().flatten());
                watch.insert(build.root.clone());
                result
            }
            (None, Some(text)) => Err(Failure::Code(text)),
            (None, None) => Err(Failure::Machine(one_line(&errors))),
        }
    };
    Outcome { result, watch }
}

/// The IR that LLVM ended on: in another form it may be able to go on.
fn ir_alone(
    build: &Build,
    package: &DevicePackage,
    command: Option<&str>,
    death: &Death,
) -> Result<Compiled, Failure> {
    let again = command.and_then(|command| command::invocation(command, build, package));
    let ir = match death {
        Death::Llvm(_) => again.clone().and_then(|again| left_behind(build, again)),
        Death::Compiler(_) => None,
    };
    let ir = ir.ok_or_else(|| Failure::Code(death.describe(&[])))?;
    Ok(Compiled { image: Some(Err(death.clone())), ir, again })
}

/// The IR of a program: if LLVM needn't make instructions it is where it was wanted, and if it ends at that, among temporary files.
fn left_behind(build: &Build, again: Invocation) -> Option<String> {
    let folder = build.raw_ir.with_extension("temporary");
    let clear =
        || [&build.raw_ir, &folder].map(|path| fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)));
    let _ = clear();
    fs::create_dir_all(&folder).ok()?;
    let output = again.for_ir(&build.raw_ir).with_temporaries(&folder).command().output().ok()?;
    let file = if output.status.success() {
        build.raw_ir.clone()
    } else {
        let files = fs::read_dir(&folder).ok()?.filter_map(|file| Some(file.ok()?.path()));
        files.filter(|file| file.extension().is_some_and(|extension| extension == "ll")).max()?
    };
    let ir = fs::read(file).ok()?;
    let _ = clear();
    Some(String::from_utf8_lossy(&ir).into_owned())
}

/// Without the network first: with it, cargo may ask the registry even when nothing has changed.
/// A run that got as far as the compiler is not repeated.
fn attempts(invocation: &Invocation) -> io::Result<(Messages, bool, String)> {
    let attempt = |invocation: &Invocation| {
        let output = invocation.command().output()?;
        let messages = Messages::read(&output.stdout);
        Ok((messages, output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let offline: (Messages, bool, String) = attempt(&invocation.offline())?;
    if offline.1 || offline.0.reached_compiler() {
        return Ok(offline);
    }
    attempt(invocation)
}

fn read(build: &Build, package: &DevicePackage, command: Option<&str>) -> Result<Compiled, Failure> {
    let file = |path| fs::read(path).map_err(|e| cannot("read", path, &e));
    let image = if build.stops { None } else { Some(Ok(file(&build.raw_image)?)) };
    let ir = String::from_utf8_lossy(&file(&build.raw_ir)?).into_owned();
    let again = command.and_then(|command| command::invocation(command, build, package));
    Ok(Compiled { image, ir, again })
}

/// A failure of the machine with a file, in one form.
pub(crate) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Machine(format!("could not {what} {}: {error}", path.display()))
}

/// Cargo's words on one line, as its warnings have no more, without what it did before the error.
fn one_line(errors: &str) -> String {
    let lines: Vec<_> = errors.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let first = lines.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    lines[first..].join("; ")
}
