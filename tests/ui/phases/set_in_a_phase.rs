use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[u32]>) {
    g.each((), |t, ()| out.set(g, t.index() as u32));
}

fn main() {}
