//! The program of `src/samples/sobel.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::sobel::main()
}
