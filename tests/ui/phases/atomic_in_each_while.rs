use gridwright::prelude::*;

// A thread that has finished may be called again.
#[gpu_kernel]
fn kernel(g: &Group, counts: Atomic<[u32]>, mut bins: Workgroup<[u32]>) {
    g.each_while((), |t, ()| counts.fetch_add(t, 0, 1) < 10);
    g.each_while(bins.atomic(), |t, bins| bins.fetch_add(t, 0, 1) < 10);
}

fn main() {}
