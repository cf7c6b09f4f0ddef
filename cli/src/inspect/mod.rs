//! `cargo gridwright inspect`: what a kernel compiles to, for each architecture.

mod built;
mod embedded;
mod executed;
mod sections;
mod table;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use gridwright_build::Architecture;
use gridwright_build::inspect::Target;

use crate::cargo;
use built::Built;
use sections::Sections;

/// Shows what a kernel compiles to: PTX, NVIDIA's and AMD's machine code where a disassembler is installed, the CPU's assembly, and what
/// it takes of each architecture. The package is built optimised. With `--executed`: what the kernel's launches cost on the emulator, by line.
/// Without a kernel: the bytes that each target embeds for each architecture, and those that a device loads for each kernel.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The kernel's name, or its path in the crate, if several have that name; an instance's, if the kernel has several: `scale<f32, 4>` or
    /// `scale_f32_4`.
    kernel: Option<String>,
    /// The kernel's package; without it that of the current folder.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    #[command(flatten)]
    target: Chosen,
    /// Shows only PTX.
    #[arg(long, requires = "kernel", conflicts_with_all = ["sass", "amd", "cpu"])]
    ptx: bool,
    /// Shows only NVIDIA's machine code.
    #[arg(long, requires = "kernel", conflicts_with_all = ["amd", "cpu"])]
    sass: bool,
    /// Shows only AMD's machine code.
    #[arg(long, requires = "kernel", conflicts_with = "cpu")]
    amd: bool,
    /// Shows only the CPU's assembly.
    #[arg(long, requires = "kernel")]
    cpu: bool,
    /// Runs the target on the emulator, or the package's only binary, and shows what each line of the kernel's PTX cost: instructions
    /// of warps, sectors of memory, passes over banks, accesses to local memory. Lines of loops that are executed most have a mark.
    #[arg(long, group = "counted", requires = "kernel", conflicts_with_all = ["ptx", "sass", "amd", "cpu"])]
    executed: bool,
    /// Shows the same of a file that a program wrote, which GRIDWRIGHT_EMULATOR_COUNTS names.
    #[arg(long, group = "counted", requires = "kernel", value_name = "FILE", conflicts_with_all = ["ptx", "sass", "amd", "cpu"])]
    counts: Option<PathBuf>,
    /// Shows one launch of the kernel by its number, the first of which is 1, instead of the sum of all.
    #[arg(long, value_name = "NUMBER", requires = "counted")]
    launch: Option<usize>,
    /// Arguments of the program that `--executed` runs.
    #[arg(last = true, value_name = "ARGS", requires = "executed")]
    arguments: Vec<OsString>,
    /// Architectures that PTX is assembled for beside its own, such as sm_90,sm_120.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = Architecture::parse)]
    assemble_for: Vec<Architecture>,
    /// Threads of a workgroup, for occupancy.
    #[arg(long, value_name = "NUMBER", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Bytes of workgroup memory that a launch gives a group, for occupancy.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    workgroup_memory: u32,
    /// Features of the package, as cargo takes them.
    #[arg(short = 'F', long, value_name = "NAMES")]
    features: Option<String>,
    /// All features of the package.
    #[arg(long)]
    all_features: bool,
}

/// Which target holds the kernel.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Chosen {
    /// The kernel is in the library.
    #[arg(long)]
    lib: bool,
    /// The kernel is in this binary.
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
    /// The kernel is in this example.
    #[arg(long, value_name = "NAME")]
    example: Option<String>,
    /// The kernel is in this test.
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// The kernel is in this bench.
    #[arg(long, value_name = "NAME")]
    bench: Option<String>,
}

impl Chosen {
    fn target(&self) -> Option<Target> {
        let named = [
            self.bin.clone().map(Target::Bin),
            self.example.clone().map(Target::Example),
            self.test.clone().map(Target::Test),
            self.bench.clone().map(Target::Bench),
        ];
        self.lib.then_some(Target::Lib).or_else(|| named.into_iter().flatten().next())
    }
}

/// Prints what was asked for.
///
/// # Errors
/// Where the package doesn't build, has no such kernel or several of that name, or what was asked for can't be had.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.executed || options.counts.is_some() {
        return executed::run(options);
    }
    let package = cargo::package(options.package.as_deref())?;
    if options.kernel.is_none() {
        return embedded::run(&package, options);
    }
    let built = Built::find(&package, options)?;
    let mut sections = Sections::new(options, &package)?;
    if options.all() || options.ptx || options.sass {
        sections.nvidia(&built)?;
    }
    if options.all() || options.amd {
        sections.amd(&built)?;
    }
    if options.all() || options.cpu {
        sections.cpu(&built)?;
    }
    sections.print()?;
    Ok(ExitCode::SUCCESS)
}

impl Options {
    /// The kernel that is shown. What is embedded is of no kernel.
    fn kernel(&self) -> &str {
        self.kernel.as_deref().unwrap_or_default()
    }

    /// Whether no part of the output was asked for by name.
    fn all(&self) -> bool {
        !(self.ptx || self.sass || self.amd || self.cpu)
    }

    /// Cargo's options that choose the package and its features.
    fn of_cargo<'o>(&'o self, package: &'o str) -> Vec<&'o str> {
        let mut words = vec!["--release", "--package", package];
        if let Some(features) = &self.features {
            words.extend(["--features", features]);
        }
        if self.all_features {
            words.push("--all-features");
        }
        words
    }
}
