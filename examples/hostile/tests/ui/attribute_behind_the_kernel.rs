//! The body is another than the one that was checked.
use gridwright::prelude::*;
use gridwright_hostile_attribute::replace;

#[gpu_kernel]
#[replace("& [u32] => &'static [u32]")]
fn keeps(_t: Thread, _x: &[u32]) {}

#[gpu_kernel]
#[replace("& [u32] => & [f32]")]
fn reads_others(_t: Thread, _x: &[u32]) {}

fn main() {}
