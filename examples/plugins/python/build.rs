//! Compiles the kernel of the extension module.

fn main() {
    gridwright_build::compile_kernels();
}
