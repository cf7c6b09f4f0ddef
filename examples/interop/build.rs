//! Compiles the library's kernel.

fn main() {
    gridwright_build::compile_kernels();
}
