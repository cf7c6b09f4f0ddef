//! Samples that benches and tests run too, each with its kernels and its program. Those that only run by themselves are in `src/bin`.

pub mod babel_stream;
pub mod bfs;
pub mod black_scholes;
pub mod block_sum;
pub mod histogram;
pub mod hotspot;
pub mod layernorm;
pub mod mandelbrot;
pub mod matrix_mul;
pub mod multi_device_jacobi;
pub mod nbody;
pub mod needleman_wunsch;
pub mod reduction;
pub mod scan;
pub mod sobel;
pub mod softmax;
pub mod spmv;
pub mod stream_compaction;
pub mod transpose;
pub mod vector_add;
