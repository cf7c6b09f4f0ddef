use gridwright::prelude::*;

#[gpu_kernel]
fn count(t: Thread, text: &str) {}

#[gpu_kernel]
fn count_owned(t: Thread, text: String) {}

fn main() {}
