use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(t: Thread, mut x: PerThread<Segments<f32>>, mut y: PerThread<Segments<f32>>) {
    let _ = (x.segment_mut(t), y.segment_mut(t));
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let offsets = stream.upload_offsets(&[0, 2, 4])?;
    let mut x = stream.alloc_zeroed(4)?;
    let twice = (x.segments_mut(&offsets), x.segments_mut(&offsets));
    kernel::load(&device)?.launch(&stream, LaunchConfig::threads(2), twice)
}
