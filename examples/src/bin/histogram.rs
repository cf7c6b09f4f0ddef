//! The program of `src/samples/histogram.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::histogram::main()
}
