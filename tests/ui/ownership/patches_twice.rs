use gridwright::prelude::*;

#[gpu_kernel(block = (8, 8))]
fn kernel(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 16>>) {
    g.each((m.patches_mut::<2, 2>(), m.patches_mut::<2, 2>()), |_, (a, b)| {});
}

fn main() {}
