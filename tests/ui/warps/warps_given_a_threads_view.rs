use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut memory: Workgroup<[u32]>) {
    g.each_warp(memory.elements_mut(), |w, memory| {});
}

fn main() {}
