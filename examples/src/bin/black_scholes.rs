//! The program of `src/samples/black_scholes.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::black_scholes::main()
}
