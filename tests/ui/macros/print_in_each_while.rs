use gridwright::prelude::*;

#[gpu_kernel]
fn shown(g: &Group) {
    let mut left = g.private(3_u32);
    g.each_while(&mut left, |t, left| {
        gpu_println!(t, "{} left", *left);
        *left -= 1;
        *left > 0
    });
}

fn main() {}
