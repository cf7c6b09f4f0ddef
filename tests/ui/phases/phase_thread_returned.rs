use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.map((), |t, ()| t);
}

fn main() {}
