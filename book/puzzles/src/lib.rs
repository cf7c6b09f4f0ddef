//! What each puzzle's kernel has to compute: the checks, which puzzles and solutions share.
//!
//! `cargo run -p gridwright-puzzles` checks all ten. Their kernels are in `src/puzzles`.

mod checks;
mod unsolved;

pub use checks::{
    add_ten, broadcast, difference, matrix_product, mean_of_three, prefix_sum, sums_of_groups, transpose,
    turn_around, zip,
};
pub use unsolved::Unsolved;
