//! The program of `src/samples/needleman_wunsch.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::needleman_wunsch::main()
}
