//! Compiles the kernels of the plugin and of its tests.

fn main() {
    gridwright_build::compile_kernels();
}
