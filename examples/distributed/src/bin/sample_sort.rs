//! The program of `src/sample_sort.rs`.

fn main() -> anyhow::Result<()> {
    gridwright_distributed::sample_sort::main()
}
