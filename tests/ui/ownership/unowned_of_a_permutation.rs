use gridwright::prelude::*;

#[gpu_kernel(block = (4, 4))]
fn kernel(_g: &Group, m: PerGroup<Matrix<u32>, PlacedTiles<4, 4, Permuted>>) {
    let [row, col] = m.origin();
    let _above = m.unowned(row - 1, col);
}

fn main() {}
