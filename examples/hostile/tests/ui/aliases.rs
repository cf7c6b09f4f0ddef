//! A slice, a matrix or a view behind another name is read as a value's type.
use gridwright::prelude::*;

type Slice<'a> = &'a [u32];
type Reference<'a> = &'a Matrix<u64>;
type Own<'a> = PerThread<'a, [u32]>;
type Shared<'a> = Atomic<'a, [u32]>;

#[gpu_kernel]
fn of_a_slice(_t: Thread, _x: Slice<'_>) {}

#[gpu_kernel]
fn of_a_matrix(_t: Thread, _x: Reference<'_>) {}

#[gpu_kernel]
fn of_a_view(_t: Thread, _x: Own<'_>) {}

#[gpu_kernel]
fn of_what_is_shared(_t: Thread, _x: Shared<'_>) {}

fn main() {}
