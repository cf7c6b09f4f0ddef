//! The project's own commands: `cargo xtask test`, `tidy`, `bench`, `codegen`, `math`, `support`, `lines`, `suites`, `emulated-cuda`, `gallery`, `fuzz`, `bundle`, `book`, `prose`.
//! One module a command.

mod bench;
mod book;
mod bundle;
mod call;
mod checked;
mod codegen;
mod debian;
mod emulated_cuda;
mod files;
mod fuzz;
mod gallery;
mod images;
mod lines;
mod math;
mod mpi;
mod prose;
mod python;
mod suites;
mod support;
mod table;
mod test;
mod threads;
mod tidy;
mod tools;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use book::output::Page;
use workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The project's own commands")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Checks everything. What CI runs, and what must pass before a commit.
    Test(test::Options),
    /// Checks the house rules that no compiler knows.
    Tidy,
    /// Prints what our kernels execute beside nvcc's and those of HIP, and their registers and instructions, and writes it into the
    /// book; and instructions of functions beside CUDA's.
    Codegen(codegen::Options),
    /// Races the CPU backend against hand-written loops and keeps the record in bench-results/.
    Bench(bench::Options),
    /// Measures how exact the math functions are on each device that can be had, and writes the table into the book.
    Math(math::Options),
    /// Runs the tests of features on each device that can be had and writes the table of what works where.
    Support,
    /// Counts the lines of the ports of CUDA samples beside their originals', and writes the table into the book.
    Lines(lines::Options),
    /// Compares random code on all devices with the host's own results.
    Fuzz(fuzz::Options),
    /// Runs suites of others on the emulated CUDA driver and compares them with their tables, or writes those.
    Suites(suites::Options),
    /// Builds the emulated CUDA driver and lays it out where programs can find it.
    EmulatedCuda(emulated_cuda::Options),
    /// Has the examples draw the pictures of the book, and writes the page that shows them.
    Gallery,
    /// Packs examples, tests and benches into a folder that a GPU machine runs without Rust.
    Bundle(bundle::Options),
    /// Builds the book with mdBook and checks its pages.
    Book(book::Options),
    /// Counts the words of sentences in README, ARCHITECTURE, CONTRIBUTING and the book.
    Prose(prose::Options),
}

fn main() -> ExitCode {
    // Not `Result`: a person wants the sentence, not a backtrace.
    run(Options::parse().command).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        Command::Test(options) => return test::run(&workspace, &options),
        Command::Tidy => tidy::run(&workspace)?,
        Command::Codegen(options) => codegen::run(&workspace, &options)?,
        Command::Bench(options) => bench::run(&workspace, options)?,
        Command::Math(options) => math::run(&workspace, &options)?,
        Command::Support => support::run(&workspace, Page::Written)?,
        Command::Lines(options) => lines::run(&workspace, options)?,
        Command::Fuzz(options) => return fuzz::run(&workspace, &options),
        Command::Suites(options) => suites::run(&workspace, &options)?,
        Command::EmulatedCuda(options) => emulated_cuda::run(&workspace, &options)?,
        Command::Gallery => gallery::run(&workspace)?,
        Command::Bundle(options) => bundle::run(&workspace, options)?,
        Command::Book(options) => book::run(&workspace, &options)?,
        Command::Prose(options) => prose::run(&workspace, &options)?,
    }
    Ok(ExitCode::SUCCESS)
}
