use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(grid: &Grid, mut x: GridMemory<[f32]>) {
    let kept = std::sync::Mutex::new(None);
    grid.each(x.grid_stride_mut(), |_, x| *kept.lock().unwrap() = Some(x));
}

fn main() {}
