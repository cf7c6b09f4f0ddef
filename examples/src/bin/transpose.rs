//! The program of `src/samples/transpose.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::transpose::main()
}
