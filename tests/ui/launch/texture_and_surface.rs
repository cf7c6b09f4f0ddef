use gridwright::prelude::*;

#[gpu_kernel]
fn blur(t: Thread, image: &Texture2d<f32>, blurred: Surface2d<f32>) {
    blurred.set(t, image.fetch(t.col() as i32, t.row() as i32));
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut image = stream.texture(1, 1, &[0.0_f32], Sampling::nearest())?;
    let config = LaunchConfig::for_matrix(1, 1);
    blur::load(&device)?.launch(&stream, config, (&image, &mut image))
}
