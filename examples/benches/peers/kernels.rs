//! What is raced: kernels of the examples, as they are, and the few for which there is no example.

use gridwright::prelude::*;

#[path = "../../src/bin/black_scholes.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
pub(crate) mod black_scholes_example;
#[path = "../measured/elementary.rs"]
mod elementary;
#[path = "../../src/bin/histogram.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod histogram_example;
#[path = "../../src/bin/multi_device_jacobi.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod jacobi_example;
#[path = "../../src/bin/mandelbrot.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
pub(crate) mod mandelbrot_example;
#[path = "../../src/bin/matrix_mul.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod matrix_mul_example;
#[path = "../../src/bin/nbody.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
pub(crate) mod nbody_example;
#[path = "../../src/bin/reduction.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod reduction_example;
#[path = "../../src/bin/scan.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
pub(crate) mod scan_example;
#[path = "../../src/bin/transpose.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod transpose_example;

#[host_only]
pub(crate) use {
    elementary::{nothing, saxpy},
    histogram_example::histogram,
    jacobi_example::jacobi_step,
    matrix_mul_example::{matrix_mul_naive, matrix_mul_patches},
    reduction_example::collective,
    transpose_example::transpose_tiled,
};
