//! The program of `src/samples/nbody.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::nbody::main()
}
