//! The program of `src/sum_of_ranks.rs`.

fn main() -> anyhow::Result<()> {
    gridwright_distributed::sum_of_ranks::main()
}
