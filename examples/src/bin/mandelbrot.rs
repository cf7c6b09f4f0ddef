//! The program of `src/samples/mandelbrot.rs`, which benches and tests run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::mandelbrot::main()
}
