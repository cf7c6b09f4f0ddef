//! `cargo gridwright`: `new`, `doctor`, `inspect` and `bench`. One file a command; what they know is in the library crates.

mod bench;
mod cargo;
mod doctor;
mod inspect;
mod new;
mod style;
mod variables;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo gridwright", bin_name = "cargo gridwright", version, styles = style::HELP)]
/// GPU kernels in plain Rust: new crates, what this machine has for them, and what they compile to.
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::Options),
    Doctor(doctor::Options),
    Inspect(Box<inspect::Options>),
    Bench(bench::Options),
}

fn main() -> ExitCode {
    // Not `Result`: a person wants the sentence, not a backtrace.
    run(Options::parse_from(arguments())).unwrap_or_else(|error| {
        anstream::eprintln!("{}error:{0:#} {error:#}", style::BAD);
        ExitCode::FAILURE
    })
}

fn run(options: Options) -> anyhow::Result<ExitCode> {
    match options.command {
        Command::New(options) => new::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::Bench(_) => bench::run(),
    }
}

/// Cargo calls its subcommands with their own name in front.
fn arguments() -> impl Iterator<Item = OsString> {
    let is_own_name = |(place, argument): &(usize, OsString)| *place == 1 && argument == "gridwright";
    std::env::args_os()
        .enumerate()
        .filter(move |argument| !is_own_name(argument))
        .map(|(_, argument)| argument)
}
