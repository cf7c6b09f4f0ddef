//! `cargo gridwright new`: a crate that runs at once.

use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, bail, ensure};

use crate::style::{self, GOOD};

/// The README's program, word for word.
const PROGRAM: &str = include_str!("../template/program.rs");
/// A program of several ranks.
const DISTRIBUTED: &str = include_str!("../template/distributed.rs");
const BUILD_SCRIPT: &str = include_str!("../template/build.rs");

/// Makes a crate with a kernel and a program that launches it. `cargo run` in it runs on a GPU, or on the CPU where there is none.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The crate's name, and that of its folder, which is made in the current one.
    name: String,
    /// A program of several processes and machines, which `mpirun` starts.
    #[arg(long)]
    distributed: bool,
    /// A checkout of Gridwright to depend on.
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
    /// A git repository of Gridwright to depend on; without `--path` and this, Gridwright's own.
    #[arg(long, value_name = "URL", conflicts_with = "path")]
    git: Option<String>,
}

/// Makes the crate.
///
/// # Errors
/// A name that cargo wouldn't take, a folder that is there already, a checkout that isn't one, or a file that can't be written.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    check_name(&options.name)?;
    let dependencies = Dependencies::of(options)?;
    let current = env::current_dir().context("there is no current folder")?;
    let folder = current.join(&options.name);
    ensure!(fs::symlink_metadata(&folder).is_err(), "{} is there already", folder.display());
    let manifest = manifest(&options.name, &dependencies, workspace_above(&current).as_deref());

    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("can't write {}", file.display()))
    };
    fs::create_dir_all(folder.join("src")).with_context(|| format!("can't make {}", folder.display()))?;
    write("Cargo.toml", &manifest)?;
    write("build.rs", BUILD_SCRIPT)?;
    write("src/main.rs", if options.distributed { DISTRIBUTED } else { PROGRAM })?;
    write(".gitignore", "/target\n")?;

    let several = if options.distributed {
        format!("With four ranks, by Open MPI: cargo build && mpirun -n 4 target/debug/{}\n", options.name)
    } else {
        String::new()
    };
    style::print(&format!(
        "{GOOD}created{GOOD:#} {}\n  cd {} && cargo run\n{several}Without a nightly toolchain that runs on the CPU; `cargo gridwright \
         doctor` says how to get one.\n",
        folder.display(),
        options.name
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The dependencies' values in the manifest.
struct Dependencies {
    /// The facade's.
    core: String,
    build: String,
    /// That of the crate for several ranks, if the program has them.
    comm: Option<String>,
}

impl Dependencies {
    /// # Errors
    /// A checkout that isn't one.
    fn of(options: &Options) -> anyhow::Result<Self> {
        let Some(path) = &options.path else {
            let url = options.git.as_deref().unwrap_or(env!("CARGO_PKG_REPOSITORY"));
            let value = format!("{{ git = {} }}", quoted(url));
            let comm = options.distributed.then(|| value.clone());
            return Ok(Self { core: value.clone(), build: value, comm });
        };
        let checkout = absolute(path).with_context(|| format!("can't find {}", path.display()))?;
        let (build, comm) = (checkout.join("kernel-build"), checkout.join("comm"));
        for folder in [&checkout, &build, &comm] {
            let has_manifest = folder.join("Cargo.toml").is_file();
            ensure!(
                has_manifest,
                "{} is no checkout of Gridwright: there is no Cargo.toml in {}",
                path.display(),
                folder.display()
            );
        }
        let value = |folder: &Path| {
            let text = folder
                .to_str()
                .with_context(|| format!("{} isn't UTF-8, as a manifest is", folder.display()))?;
            anyhow::Ok(format!("{{ path = {} }}", quoted(text)))
        };
        let comm = if options.distributed { Some(value(&comm)?) } else { None };
        Ok(Self { core: value(&checkout)?, build: value(&build)?, comm })
    }
}

/// A string of TOML. JSON's strings are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn manifest(name: &str, dependencies: &Dependencies, workspace: Option<&Path>) -> String {
    let rust_version = env!("CARGO_PKG_RUST_VERSION");
    let Dependencies { core, build, comm } = dependencies;
    let comm = comm.as_ref().map(|comm| format!("gridwright-comm = {comm}\n")).unwrap_or_default();
    let mut text = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"{rust_version}\"\n\n\
         [dependencies]\ngridwright = {core}\n{comm}\n\
         # Compiles the kernels for GPUs, if a nightly toolchain is installed.\n\
         [build-dependencies]\ngridwright-build = {build}\n\n\
         [profile.dev]\nopt-level = 3 # kernels are loops: without optimisation they crawl\n\
         codegen-units = 1 # calls in kernels vanish in one unit, not between several\n\
         debug = \"line-tables-only\" # what backtraces show; a debugger's variables take \"full\"\n\n\
         [profile.release]\ncodegen-units = 1\n"
    );
    if workspace.is_some() {
        text.push_str("\n# The crate isn't a member of the workspace around it.\n[workspace]\n");
    }
    text
}

/// The manifest of a workspace around a folder: cargo would take the crate for one of its members.
fn workspace_above(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|manifest| {
        let text = fs::read_to_string(manifest).unwrap_or_default();
        text.lines().any(|line| line.trim_start().starts_with("[workspace"))
    })
}

/// Rust's keywords, of all editions, which no crate can be called.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield", "_",
];

/// Folders below `target`, which no binary can be called, and the crates that each program has.
const TAKEN: &[&str] =
    &["build", "deps", "examples", "incremental", "test", "core", "std", "alloc", "proc_macro", "proc-macro"];

/// Refuses what `cargo new` refuses, and what the crate depends on.
fn check_name(name: &str) -> anyhow::Result<()> {
    let refused = |why: &str| bail!("`{name}` can't be a crate's name: {why}");
    let Some(first) = name.chars().next() else { return refused("it is empty") };
    if first.is_numeric() {
        return refused("it begins with a digit");
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    if let Some(other) = name.chars().find(|letter| !is_letter(*letter)) {
        return refused(&format!("`{}` is no letter, digit, `-` or `_`", other.escape_default()));
    }
    if !(first.is_alphabetic() || first == '_') {
        return refused("it doesn't begin with a letter or `_`");
    }
    if KEYWORDS.contains(&name) {
        return refused("it is a word of Rust's");
    }
    if TAKEN.contains(&name) {
        return refused("cargo or the language has something of that name");
    }
    if name == "gridwright" || name.starts_with("gridwright-") || name.starts_with("gridwright_") {
        return refused("it depends on crates that are called so");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Dependencies, check_name, manifest, quoted};

    #[test]
    fn names_are_those_that_cargo_takes() {
        for good in ["hello", "hello-gpu", "_x", "x2", "größe", "Hello_World"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "2d",
            "-x",
            "a b",
            "a/b",
            "../x",
            ".",
            "fn",
            "test",
            "core",
            "gridwright",
            "gridwright-build",
            "a\nb",
            "😀",
        ] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_are_quoted() {
        assert_eq!(quoted("C:\\a \"b\""), r#""C:\\a \"b\"""#);
    }

    #[test]
    fn a_manifest_has_what_the_program_needs() {
        let mut plain = Dependencies { core: "1".into(), build: "1".into(), comm: None };
        assert!(!manifest("x", &plain, None).contains("[workspace]"));
        assert!(!manifest("x", &plain, None).contains("gridwright-comm"));
        assert!(manifest("x", &plain, Some("/w".as_ref())).contains("[workspace]"));
        plain.comm = Some("2".into());
        assert!(manifest("x", &plain, None).contains("gridwright-comm = 2\n"));
    }
}
