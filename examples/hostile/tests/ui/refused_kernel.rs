//! `compile_error!` of `core` is no error.
extern crate gridwright_hostile as core;

use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, x: &mut [u32]) {}

fn main() {}
