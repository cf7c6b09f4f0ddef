use gridwright::prelude::*;

#[gpu_kernel(require = x.len() == 4)]
fn misspelt(t: Thread, x: &[f32]) {}

#[gpu_kernel(index = u32, index = u64)]
fn repeated(t: Thread, x: &[f32]) {}

#[gpu_kernel(index = usize)]
fn wrong_index(t: Thread, x: &[f32]) {}

#[gpu_kernel(fp_contract = fast)]
fn wrong_contraction(t: Thread, x: &[f32]) {}

fn main() {}
