//! Compiles the tests' kernels for sm_90.

fn main() {
    gridwright_build::compile_kernels();
}
