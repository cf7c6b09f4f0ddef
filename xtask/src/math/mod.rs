//! `cargo xtask math`: how exact the functions of `gridwright::math` are on each device that can be had here, written into the book.

mod table;

use std::collections::BTreeMap;

use anyhow::ensure;
use serde::Deserialize;

use crate::book::output::Page;
use crate::call::{Call, Variables};
use crate::test::devices::places;
use crate::workspace::Workspace;

/// The document with the table.
const DOCUMENT: &str = "book/src/math.md";

/// The variables that say how many arguments, where the results go, whether subnormal numbers count and promises are tested, and what approximate instructions
/// give in the emulator.
const INPUTS: &str = "GRIDWRIGHT_MATH_INPUTS";
const RESULTS: &str = "GRIDWRIGHT_MATH_RESULTS";
const SUBNORMALS: &str = "GRIDWRIGHT_MATH_SUBNORMALS";
const BOUNDS: &str = "GRIDWRIGHT_MATH_BOUNDS";
const APPROXIMATIONS: &str = "GRIDWRIGHT_EMULATOR_APPROXIMATIONS";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Tries every number of 32 bits on the CPU, where a function has one argument. Takes hours.
    #[arg(long)]
    exhaustive: bool,
    /// How many arguments of a function are tried on the CPU and on NVIDIA's emulator.
    #[arg(long, default_value_t = 1 << 20)]
    inputs: u32,
    /// How many arguments are tried on AMD's emulator, which takes a thousand times as long.
    #[arg(long, default_value_t = 1 << 12)]
    amd_inputs: u32,
    /// Measures only on the device whose title has this word.
    #[arg(long)]
    only: Option<String>,
    /// Measures only the functions whose names have one of these in them: the table keeps the rest.
    #[arg(long)]
    function: Vec<String>,
}

/// What a test found out of a function.
#[derive(Clone, Deserialize)]
struct Found {
    function: String,
    /// CUDA's bound and ours.
    cuda: f64,
    bound: f64,
    max: f64,
    mean: f64,
    /// The number of arguments.
    inputs: u64,
}

/// Columns of the table: of each device its title, and its results by function if it could be had.
type Columns = Vec<(&'static str, Option<BTreeMap<String, Found>>)>;

/// Runs the tests on each device, and writes the table into the book.
///
/// # Errors
/// Where an error is larger than is promised, or the book has no place for the table.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    let mut columns = Columns::new();
    for (title, place) in places(workspace)? {
        for (title, runs) in columns_of(title, options) {
            let is_left_out = options.only.as_ref().is_some_and(|only| !title.contains(only.as_str()));
            let Some(place) = place.as_ref().filter(|_| !is_left_out) else {
                columns.push((title, None));
                continue;
            };
            let mut found = BTreeMap::new();
            for variables in &runs {
                let test = "test --release --package gridwright-examples --test math -- --nocapture";
                let tests = Call::cargo(workspace, test).arguments(&options.function);
                let (results, outcome) = place.measure(tests, RESULTS, |tests| {
                    let tests = tests.clone().variables(variables);
                    println!("$ {tests}");
                    tests.run()
                })?;
                worst(&mut found, results);
                if let Err(error) = outcome {
                    failed.push(format!("{title}: {error:#}"));
                }
            }
            columns.push((title, Some(found)));
        }
    }
    Page::Written.hold(&workspace.root, DOCUMENT, table::COMMAND, |text| table::put(text, &columns))?;
    ensure!(failed.is_empty(), "errors are larger than is promised:\n{}", failed.join("\n"));
    Ok(())
}

/// The columns of a device, each with the runs that it takes; none for a device that is another one's twin.
fn columns_of(title: &str, options: &Options) -> Vec<(&'static str, Vec<Variables>)> {
    let inputs = (INPUTS, options.inputs.to_string().into());
    // The emulator takes subnormal numbers for zeros.
    let amd = || vec![vec![(INPUTS, options.amd_inputs.to_string().into()), (SUBNORMALS, "off".into())]];
    match title {
        "CPU" => vec![("CPU", vec![vec![if options.exhaustive { (INPUTS, "all".into()) } else { inputs }]])],
        "NVIDIA, `emulator`" => {
            let off = |approximations: &str| {
                vec![inputs.clone(), (APPROXIMATIONS, approximations.into()), (BOUNDS, "off".into())]
            };
            vec![
                ("NVIDIA, emulated", vec![vec![inputs.clone()]]),
                ("by the ISA's bounds alone", vec![off("above"), off("below")]),
            ]
        }
        "AMD, emulated runtime, waves of 32" => vec![("AMD gfx1100, emulated", amd())],
        "waves of 64" => vec![("AMD gfx942, emulated", amd())],
        _ => vec![],
    }
}

/// Keeps the larger errors.
fn worst(found: &mut BTreeMap<String, Found>, results: Vec<Found>) {
    for result in results {
        let kept = found.entry(result.function.clone()).or_insert_with(|| result.clone());
        kept.max = kept.max.max(result.max);
        kept.mean = kept.mean.max(result.mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_runs_the_larger_errors_are_kept() {
        let of = |max, mean| Found { function: "exp".into(), cuda: 1.0, bound: 1.0, max, mean, inputs: 1 };
        let mut found = BTreeMap::new();
        worst(&mut found, vec![of(0.7, 0.2)]);
        worst(&mut found, vec![of(0.6, 0.3)]);
        assert_eq!((found["exp"].max, found["exp"].mean), (0.7, 0.3));
    }
}
