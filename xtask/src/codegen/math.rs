//! Functions of 32-bit floats beside CUDA's, by instructions.

use anyhow::{Context, ensure};
use itertools::Itertools;

use super::toolkit::{ARCHITECTURE, Toolkit};
use super::{Cost, cost, ratio};
use crate::images;
use crate::table::{self, row};
use crate::workspace::Workspace;

/// The source of the same kernels in CUDA C, from the workspace's root.
const SOURCE: &str = "xtask/src/codegen/math.cu";

/// The image with our kernels.
const IMAGE: &str = "test-math.sm_80.ptx";

/// The most that ours may cost, as multiples of nvcc's: half of them, and each.
const MOST_OF_HALF: f64 = 1.10;
const MOST: f64 = 1.50;

/// Kernels without a function, by the number of arguments, which are taken off.
const ONE_ARGUMENT: &str = "copy_f32";
const TWO_ARGUMENTS: &str = "sum_f32";

/// Functions of two arguments.
const OF_TWO: &[&str] = &["atan2_f32", "hypot_f32", "powf_f32", "rem_f32", "remainder_f32"];

/// Prints the table: what a function adds to a kernel, with all that it calls.
///
/// # Errors
/// Where a tool is missing or fails, or functions of ours are missing or cost too much.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let toolkit = Toolkit::install(workspace)?;
    let ptx = images::build(workspace)?.join(IMAGE);
    ensure!(ptx.is_file(), "there is no {}: was the device toolchain found?", ptx.display());
    let scratch = tempfile::tempdir()?;
    let cubin = scratch.path().join("math.cubin");
    let theirs = toolkit.compile(&workspace.root.join(SOURCE), &cubin)?;
    let ours = toolkit.assemble(&ptx, &cubin)?;

    let (mut ratios, mut missing) = (Vec::new(), Vec::new());
    let mut table = table::printed(&format!("function | {ARCHITECTURE} instructions: | nvcc's: | ratio:"));
    for (kernel, &of_theirs) in &theirs {
        if [ONE_ARGUMENT, TWO_ARGUMENTS].contains(&kernel.as_str()) {
            continue;
        }
        let Ok(of_ours) = cost(&ours, kernel) else {
            missing.push(kernel.as_str());
            continue;
        };
        let without = if OF_TWO.contains(&kernel.as_str()) { TWO_ARGUMENTS } else { ONE_ARGUMENT };
        let added = |all: Cost, without: Cost| all.whole().saturating_sub(without.whole()).max(1);
        let of_ours = added(of_ours, cost(&ours, without)?);
        let of_theirs = added(of_theirs, cost(&theirs, without)?);
        let ratio = ratio(of_ours, of_theirs);
        table.add_row(row![kernel, of_ours, of_theirs, format!("{ratio:.2}")]);
        ratios.push((ratio, kernel));
    }
    println!("{table}");
    let (median, worst, kernel) = summary(&mut ratios).context("there are no functions")?;
    println!("median {median:.2}, worst {worst:.2} ({kernel})");
    ensure!(missing.is_empty(), "no kernel of ours for {}", missing.join(", "));
    let dear = ratios.iter().filter(|(ratio, _)| *ratio > MOST).map(|(_, kernel)| kernel).join(", ");
    ensure!(dear.is_empty(), "more than {MOST} times nvcc's instructions: {dear}");
    ensure!(median <= MOST_OF_HALF, "the median is more than {MOST_OF_HALF} times nvcc's instructions");
    Ok(())
}

/// The median, and the worst with its name.
fn summary<'n>(ratios: &mut [(f64, &'n String)]) -> Option<(f64, f64, &'n str)> {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (worst, kernel) = ratios.last()?;
    let (below, above) = (ratios.get((ratios.len() - 1) / 2)?, ratios.get(ratios.len() / 2)?);
    Some(((below.0 + above.0) / 2.0, *worst, kernel))
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        let names = ["a", "b", "c", "d"].map(String::from);
        let mut ratios: Vec<_> = [3.0, 1.0, 2.0, 9.0].into_iter().zip(&names).collect();
        assert_eq!(summary(&mut ratios), Some((2.5, 9.0, "d")));
        assert_eq!(summary(&mut ratios[..3]), Some((2.0, 3.0, "a")));
        assert_eq!(summary(&mut []), None);
    }
}
