//! The program of `src/distributed_nbody.rs`.

fn main() -> anyhow::Result<()> {
    gridwright_distributed::distributed_nbody::main()
}
