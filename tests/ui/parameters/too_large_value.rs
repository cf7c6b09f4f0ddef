use gridwright::prelude::*;

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Table {
    numbers: [u32; 1024],
}

#[gpu_kernel]
fn one_value(t: Thread, table: Table) {}

#[gpu_kernel]
fn all_together(t: Thread, a: [u32; 512], b: [u32; 512], x: &[f32]) {}

fn main() {}
