//! The program of `src/samples/layernorm.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::layernorm::main()
}
