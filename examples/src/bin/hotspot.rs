//! The program of `src/samples/hotspot.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::hotspot::main()
}
