use gridwright::prelude::*;

#[gpu_kernel(requires = g.rows() == 16)]
fn kernel(g: &Group) {
    let _ = g.len();
}

fn main() {}
