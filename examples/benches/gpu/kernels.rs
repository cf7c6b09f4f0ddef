//! What is raced: kernels of the examples.

use gridwright::prelude::*;

#[path = "../../src/bin/histogram.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod histogram_example;
#[path = "../../src/bin/matrix_mul.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod matrix_mul_example;
#[path = "../../src/bin/reduction.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod reduction_example;
#[path = "../../src/bin/transpose.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod transpose_example;
#[path = "../../src/bin/vector_add.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only kernels of it are raced")
)]
mod vector_add_example;

#[host_only]
pub(crate) use {
    histogram_example::histogram, matrix_mul_example::matrix_mul, reduction_example::collective,
    transpose_example::transpose_padded, vector_add_example::vector_add,
};
