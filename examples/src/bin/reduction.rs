//! The program of `src/samples/reduction.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::reduction::main()
}
