//! Programs of several ranks. Each runs alone as it stands, and by `mpirun` with as many ranks as there are devices or cores; each checks its result.
//!
//! | program | what it shows |
//! |---|---|
//! | `sum_of_ranks` | the smallest program: a kernel, and a sum over all ranks |
//! | `distributed_jacobi` | a divided array, and halos that travel while the inner part is computed |
//! | `distributed_nbody` | messages around a ring, while a kernel works on the last ones |
//! | `data_parallel` | a training step whose gradients are summed over all ranks |
//! | `sample_sort` | the sort of [`gridwright_primitives`], over all ranks |
//!
//! ```text
//! cargo build --release -p gridwright-distributed
//! mpirun -n 4 target/release/distributed_jacobi 2048 2048 500
//! ```

#[cfg(not(gridwright_device))]
mod arguments;
pub mod data_parallel;
pub mod distributed_jacobi;
pub mod distributed_nbody;
pub mod sample_sort;
pub mod sum_of_ranks;

#[cfg(not(gridwright_device))]
pub use arguments::numbers;
