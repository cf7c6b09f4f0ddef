//! The program of `src/samples/multi_device_jacobi.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::multi_device_jacobi::main()
}
