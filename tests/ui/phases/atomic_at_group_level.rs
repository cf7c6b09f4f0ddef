use gridwright::prelude::*;

// Every thread of the group would take a job of its own.
#[gpu_kernel]
fn kernel(g: &Group, queue: Atomic<[u32]>) {
    let job = queue.fetch_add(0, 1);
    g.each((), |_, ()| drop(job));
}

fn main() {}
