use gridwright::prelude::*;

type Slots = PerGroup<'static, [f32]>;

#[gpu_kernel]
fn kernel(_grid: &Grid, _x: Slots) {}

fn main() {}
