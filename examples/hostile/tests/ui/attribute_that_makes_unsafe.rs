//! A body that is unsafe is called where nothing is.
use gridwright::prelude::*;
use gridwright_hostile_attribute::replace;

#[gpu_kernel]
#[replace("fn __body => unsafe fn __body")]
fn kernel(_t: Thread, _x: &[u32]) {}

fn main() {}
