//! Compiles the puzzles' kernels for the emulator.

fn main() {
    gridwright_build::compile_kernels();
}
