//! What a test of a feature is run on, and what becomes of it.

use std::fs::OpenOptions;
use std::io::Write;

use gridwright::prelude::*;
use gridwright::{ConfigError, Error};

pub(crate) type Result<T = ()> = std::result::Result<T, Error>;

/// The file that gets a line of JSON for each feature.
const RESULTS: &str = "GRIDWRIGHT_FEATURES";

/// All of them, in the order of the table.
const FEATURES: [&str; 38] = [
    "kernels of threads, slices",
    "two dimensions: matrices, stencils",
    "three dimensions: volumes",
    "other maps of owned memory: `Reversed`, `Transposed`",
    "structs and arrays, by value and in buffers",
    "generic kernels, with named instances",
    "closures and iterators inside kernels",
    "atomics on buffers",
    "`unsafe` kernels: raw pointers, barriers",
    "workgroup kernels, workgroup memory of the launch's size",
    "collectives: `reduce`, scans, `broadcast`",
    "warps as groups of their own: `each_warp`, votes, shuffles",
    "atomics in workgroup memory",
    "tiles of a matrix larger than the block",
    "tiles of warps, coalesced groups",
    "kernels of the whole grid: `Grid`",
    "vectors of 16 bytes, cache hints",
    "copies to workgroup memory that run meanwhile",
    "matrix units",
    "textures",
    "functions of `f32` and `f64`: `math`",
    "half precision: `F16`, `Bf16`, pairs",
    "operations of integers: `int`",
    "random numbers, the same everywhere: `random`",
    "allocation in kernels: `Vec`, `format!`",
    "clocks, sleep",
    "parts of buffers",
    "`run`, on the host's own slices",
    "several streams, events",
    "pinned memory, copies that don't wait",
    "memory that host and device share: unified, mapped",
    "several devices: copies, kernels that reach another's memory",
    "graphs",
    "panics as errors",
    "printing: `gpu_println!`",
    "profiles",
    "occupancy, cooperative launches",
    "clusters",
];

/// Runs a test of a feature. A device may refuse it, with an error that says that it does.
pub(crate) fn feature(name: &str, test: impl FnOnce(&Device, &Stream) -> Result) -> Result {
    feature_of(name, None, test)
}

/// Runs a test of a feature, but not on an emulated AMD GPU, since the emulator there isn't ours and lacks something.
pub(crate) fn feature_but_on_amd(
    name: &str,
    what_is_lacking: &str,
    test: impl FnOnce(&Device, &Stream) -> Result,
) -> Result {
    feature_of(name, Some(what_is_lacking), test)
}

fn feature_of(
    name: &str,
    lacking_on_amd: Option<&str>,
    test: impl FnOnce(&Device, &Stream) -> Result,
) -> Result {
    let order = FEATURES.iter().position(|feature| *feature == name).expect("a feature of the list");
    let device = Device::from_env()?;
    let lacking = lacking_on_amd.filter(|_| device.name().contains("Emulated GPU gfx"));
    let result = if lacking.is_some() { Ok(()) } else { test(&device, &device.stream()?) };
    let outcome = match result {
        Ok(()) => lacking.map_or("yes".to_owned(), |lacking| format!("not tried: {lacking}")),
        Err(
            error @ (Error::AttributeUnsupported { .. }
            | Error::PeerAccess { .. }
            | Error::InvalidConfig { reason: ConfigError::Cooperative { most: 0, .. }, .. }),
        ) => format!("refused: {error}"),
        Err(error) => return Err(error),
    };
    if let Some(file) = std::env::var_os(RESULTS) {
        let line = serde_json::json!({
            "order": order, "feature": name, "device": device.name(), "outcome": outcome,
        });
        // Tests run side by side: each line is one write.
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("a file to write");
        file.write_all(format!("{line}\n").as_bytes()).expect("a file to write");
    }
    Ok(())
}

/// Numbers below 1009, `n` of them.
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009).collect()
}
