use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut memory: Workgroup<[u32]>) {
    g.each_warp((), |w, ()| {
        w.each(memory.elements_mut(), |t, slot| *slot = t.index() as u32);
    });
}

fn main() {}
