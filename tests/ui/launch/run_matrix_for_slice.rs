use gridwright::prelude::*;

#[gpu_kernel]
fn scale(t: Thread, by: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = by * x[t.index()];
    }
}

fn run(device: &Device, kernel: &Kernel<scale>, x: Vec<f32>, mut y: Vec<f32>) -> Result<(), gridwright::Error> {
    kernel.run(device, LaunchConfig::threads(3), (2.0, &x, Out(AsMatrix(1, 3, &mut y))))
}

fn main() {}
