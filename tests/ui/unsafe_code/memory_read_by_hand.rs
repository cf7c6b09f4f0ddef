use gridwright::group::GroupMemory;
use gridwright::prelude::*;

#[gpu_kernel]
fn without_a_barrier(g: &Group, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |t, slot| *slot = t.index() as u32);
    let _first = w.get(0);
}

fn main() {}
