//! The program of `src/distributed_jacobi.rs`.

fn main() -> anyhow::Result<()> {
    gridwright_distributed::distributed_jacobi::main()
}
