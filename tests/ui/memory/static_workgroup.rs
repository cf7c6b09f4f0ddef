use gridwright::prelude::*;

#[gpu_kernel]
fn memory(_g: &Group, _w: Workgroup<'static, [f32]>) {}

#[gpu_kernel]
fn of_the_group(_g: &Group, _out: PerGroup<'static, [f32]>) {}

#[gpu_kernel]
fn updated(_g: &Group, _counts: Atomic<'static, [u32]>) {}

fn main() {}
