//! The program of `src/samples/scan.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::scan::main()
}
