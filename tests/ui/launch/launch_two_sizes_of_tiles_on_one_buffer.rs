use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, _a: PerGroup<Matrix<u32>, Tiles<16, 16>>, _b: PerGroup<Matrix<u32>>) {}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut m = stream.upload_matrix(16, 16, &[0; 256])?;
    kernel::load(&device)?.launch(&stream, LaunchConfig::for_matrix(16, 16), (&mut m, &mut m))
}
