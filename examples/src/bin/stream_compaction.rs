//! The program of `src/samples/stream_compaction.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::stream_compaction::main()
}
