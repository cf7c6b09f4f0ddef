use gridwright::prelude::*;

#[gpu_kernel(block = 64)]
fn kernel(g: &Group) {
    let mut count = g.warp_private(0_u32);
    g.each(&mut count, |_, count| *count += 1);
}

fn main() {}
