//! Algorithms on devices' memory: reduce, scan, sort, select and more, on NVIDIA's and AMD's GPUs, the emulator and the CPU.

#[cfg(not(gridwright_device))]
mod cpu;
pub mod kernels;
pub mod operators;
pub mod source;

use gridwright::prelude::*;

instance! {
    /// Test.
    pub kernel sum_u32 = kernels::reduce::reduce_groups<source::Slice<u32>, operators::Add>;
    /// Test.
    pub kernel sum_neg = kernels::reduce::reduce_groups<source::Map<source::Slice<f32>, operators::Negate>, operators::Add>;
}
