use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(
    g: &Group,
    a: Workgroup<[f32]>,
    b: Workgroup<[f32]>,
    c: Workgroup<[f32]>,
    d: Workgroup<[f32]>,
    e: Workgroup<[f32]>,
    f: Workgroup<[f32]>,
    h: Workgroup<[f32]>,
    i: Workgroup<[f32]>,
    j: Workgroup<[f32]>,
    k: Workgroup<[f32]>,
    l: Workgroup<[f32]>,
    m: Workgroup<[f32]>,
    n: Workgroup<[f32]>,
) {
}

fn main() {}
