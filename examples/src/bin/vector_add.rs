//! The program of `src/samples/vector_add.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::vector_add::main()
}
