//! Compiles the instances for GPUs.

fn main() {
    gridwright_build::compile_kernels();
}
