//! The program of `src/samples/softmax.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::softmax::main()
}
