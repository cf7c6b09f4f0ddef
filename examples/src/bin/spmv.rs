//! The program of `src/samples/spmv.rs`, which benches run as well.

fn main() -> anyhow::Result<()> {
    gridwright_examples::samples::spmv::main()
}
