//! The program of `src/samples/matrix_mul.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::matrix_mul::main()
}
