//! The program of `src/samples/bfs.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::bfs::main()
}
