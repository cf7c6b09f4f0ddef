use gridwright::prelude::*;

#[gpu_kernel]
fn by_value(g: Group, x: &[f32]) {}

#[gpu_kernel]
fn mutable(g: &mut Group, x: &[f32]) {}

#[gpu_kernel]
fn with_a_lifetime(g: &Group<'_>, x: &[f32]) {}

fn main() {}
