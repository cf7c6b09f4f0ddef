//! The puzzles, a file each.
#![allow(
    unused,
    clippy::needless_pass_by_value,
    clippy::needless_pass_by_ref_mut,
    reason = "the kernels are to be written"
)]

mod p01_add_ten;
mod p02_zip;
mod p03_difference;
mod p04_transpose;
mod p05_broadcast;
mod p06_sums_of_groups;
mod p07_mean_of_three;
mod p08_turn_around;
mod p09_prefix_sum;
mod p10_matrix_product;

use gridwright::prelude::*;

/// Name and check of each puzzle, in their order.
#[host_only]
pub(crate) const PUZZLES: [(&str, crate::Check); 10] = [
    (" 1 add_ten", p01_add_ten::check),
    (" 2 zip", p02_zip::check),
    (" 3 difference", p03_difference::check),
    (" 4 transpose", p04_transpose::check),
    (" 5 broadcast", p05_broadcast::check),
    (" 6 sums_of_groups", p06_sums_of_groups::check),
    (" 7 mean_of_three", p07_mean_of_three::check),
    (" 8 turn_around", p08_turn_around::check),
    (" 9 prefix_sum", p09_prefix_sum::check),
    ("10 matrix_product", p10_matrix_product::check),
];
