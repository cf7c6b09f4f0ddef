//! Gridwright on the CPU against all that others would take there: rayon, C with OpenMP, OpenCL, and kernels in Python.
//!
//! `cargo xtask bench --peers` runs this with every peer and keeps the record. Alone it races against what it finds.

mod races;

fn main() -> anyhow::Result<()> {
    races::run()
}
