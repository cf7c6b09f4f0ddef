//! Compiles the benches' kernels for GPUs.

fn main() {
    gridwright_build::compile_kernels();
}
