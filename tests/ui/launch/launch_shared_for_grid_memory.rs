use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_grid: &Grid, _x: GridMemory<[f32]>) {}

fn launch(kernel: &Kernel<kernel>, stream: &Stream, x: &Buffer<f32>) -> Result<(), gridwright::Error> {
    kernel.launch(stream, LaunchConfig::threads(32), (x,))
}

fn main() {}
