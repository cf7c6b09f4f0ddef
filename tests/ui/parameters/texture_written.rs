use gridwright::prelude::*;

#[gpu_kernel]
fn by_reference(t: Thread, image: &mut Texture2d<f32>) {}

#[gpu_kernel]
fn surface_by_reference(t: Thread, image: &Surface2d<f32>) {}

fn main() {}
