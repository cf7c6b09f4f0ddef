//! The program of `src/data_parallel.rs`.

fn main() -> anyhow::Result<()> {
    gridwright_distributed::data_parallel::main()
}
