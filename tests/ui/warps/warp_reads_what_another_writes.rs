use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut memory: Workgroup<[u32]>) {
    g.each_warp(memory.warp_chunks_mut(1), |w, mut part| {
        let of_the_next = w.read(&memory, w.index() + 1);
        w.set(&mut part, 0, of_the_next);
    });
}

fn main() {}
