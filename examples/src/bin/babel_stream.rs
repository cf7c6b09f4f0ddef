//! The program of `src/samples/babel_stream`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::babel_stream::main()
}
