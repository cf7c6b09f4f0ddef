//! Gridwright on an NVIDIA GPU against nvcc's kernels of the same algorithms, launched by the bare driver, and the cost of a
//! launch against the driver's own.
//!
//! `cargo xtask bundle` ships this with the references, and its `run.sh` runs it where there is a GPU. Without one it says
//! `SKIPPED`. On the emulated driver it shows that all of it works; the times mean nothing there.

mod races;

fn main() -> anyhow::Result<()> {
    races::run()
}
