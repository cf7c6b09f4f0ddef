use gridwright::prelude::*;

#[gpu_kernel]
fn shown(g: &Group) {
    gpu_println!(g, "group {}", g.index());
}

fn main() {}
