//! `cargo gridwright inspect --executed`: what a kernel's launches on the emulator executed, beside its PTX.

mod program;
mod shown;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use gridwright_image::executed::{Executed, ExecutedLaunch};

use super::Options;
use crate::cargo;
use crate::style;

/// Prints what the kernel's launches executed, of a program that is run now, or of a file.
///
/// # Errors
/// Where the program doesn't build or fails, or there is no such launch.
pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let text = match &options.counts {
        Some(file) => read(file)?,
        None => program::counts(&cargo::package(options.package.as_deref())?, options)?,
    };
    let executed = Executed::read(&text)?;
    style::print(&shown(&executed, options.kernel(), options.launch)?)?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> anyhow::Result<String> {
    fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))
}

/// The text about a kernel: of all its launches, or of the one of a number.
fn shown(executed: &Executed, kernel: &str, launch: Option<usize>) -> anyhow::Result<String> {
    let known = executed.kernels();
    ensure!(
        !known.is_empty(),
        "nothing was launched on the emulator. The program has to take its device from `Device::from_env`, or from `Device::emulator`"
    );
    let entry = entries(kernel).into_iter().find(|entry| !executed.of_kernel(entry).is_empty());
    let kernel = &entry.with_context(|| {
        format!("`{kernel}` wasn't launched. There were launches of {}", known.join(", "))
    })?;
    let of_kernel = executed.of_kernel(kernel);
    let mut text = String::new();
    let mut number = 1;
    for (image, launches) in of_kernel {
        let numbered: Vec<(usize, &ExecutedLaunch)> = (number..).zip(launches).collect();
        number += numbered.len();
        let chosen: Vec<_> = numbered
            .into_iter()
            .filter(|(number, _)| launch.is_none_or(|launch| launch == *number))
            .collect();
        if !chosen.is_empty() {
            text += &shown::of_image(image, kernel, &chosen)?;
        }
    }
    let launches = number - 1;
    ensure!(!text.is_empty(), "`{kernel}` was launched {launches} times: --launch takes 1 to {launches}");
    Ok(text)
}

/// What the entry point of a kernel may be called that is named by its path: all of that, or the end, where no other has it.
fn entries(kernel: &str) -> [String; 3] {
    let symbol = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
    };
    let modules = kernel.split('<').next().unwrap_or_default();
    let name = modules.rfind("::").and_then(|at| kernel.get(at + 2..)).unwrap_or(kernel);
    [kernel.to_owned(), symbol(kernel), symbol(name)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
image 1 sm_80 9
.version 8.3
.target sm_80
.visible .entry k()
{
\tmov.u32 %r1, 0;
AGAIN:
\tld.global.u32 \t%r2, [%rd1];
\t@%p1 bra AGAIN;
}
launch 1 k 2,1,1 64,1,1 3
5 4 128 0 0 0
7 40 1280 1280 0 4
8 40 640 0 80 0
launch 1 k 2,1,1 64,1,1 3
5 4 128 0 0 0
7 40 1280 1280 0 4
8 40 640 0 80 0
launch 1 k 1,1,1 32,1,1 1
5 1 32 0 0 0
launch 1 other 1,1,1 32,1,1 0
";

    fn said(kernel: &str, launch: Option<usize>) -> anyhow::Result<String> {
        shown(&Executed::read(FILE).unwrap(), kernel, launch)
            .map(|text| anstream::adapter::strip_str(&text).to_string())
    }

    #[test]
    fn counts_of_all_launches_stand_beside_the_lines() {
        let text = said("k", None).unwrap();
        assert_eq!(
            text,
            "\
launches of `k`, code for sm_80
┌────────┬────────┬───────┬──────────────┬─────────┬─────────┬────────┬───────┐
│ launch ┆ groups ┆ block ┆ instructions ┆ threads ┆ sectors ┆ passes ┆ local │
╞════════╪════════╪═══════╪══════════════╪═════════╪═════════╪════════╪═══════╡
│ 1 to 2 ┆ 2      ┆ 64    ┆           84 ┆    24.4 ┆    1280 ┆     80 ┆     4 │
│ 3      ┆ 1      ┆ 32    ┆            1 ┆    32.0 ┆       0 ┆      0 ┆     0 │
└────────┴────────┴───────┴──────────────┴─────────┴─────────┴────────┴───────┘

  instructions threads sectors passes local line
                                               3 .visible .entry k()
                                               4 {
             9    32.0                         5     mov.u32 %r1, 0;
                                               6 AGAIN:
>           80    32.0    2560            8    7     ld.global.u32 %r2, [%rd1];
>           80    16.0            160          8     @%p1 bra AGAIN;
                                               9 }
"
        );
    }

    #[test]
    fn one_launch_is_chosen_by_its_number() {
        let text = said("k", Some(3)).unwrap();
        assert!(text.contains("│ 3 ") && !text.contains("1280"), "{text}");
        assert!(text.contains("             1    32.0                         5     mov"), "{text}");
    }

    #[test]
    fn a_kernel_is_named_by_its_path_too() {
        assert_eq!(said("sums::k", None).unwrap(), said("k", None).unwrap());
        let file = FILE.replace(" k ", " sums_k_f32_4 ").replace("entry k(", "entry sums_k_f32_4(");
        let text = shown(&Executed::read(&file).unwrap(), "sums::k<f32, 4>", None).unwrap();
        assert!(text.contains("launches of `sums_k_f32_4`"), "{text}");
    }

    #[test]
    fn what_was_not_launched_is_said() {
        for (file, kernel, launch, expected) in [
            ("", "k", None, "Device::from_env"),
            (FILE, "l", None, "launches of k, other"),
            (FILE, "k", Some(4), "--launch takes 1 to 3"),
        ] {
            let error = shown(&Executed::read(file).unwrap(), kernel, launch).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
