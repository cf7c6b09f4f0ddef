//! The program of `src/samples/block_sum.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::block_sum::main()
}
