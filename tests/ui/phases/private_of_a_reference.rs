use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let local = 5;
    g.private(&local);
}

fn main() {}
