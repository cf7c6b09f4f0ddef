fn main() {
    gridwright_build::compile_kernels();
}
