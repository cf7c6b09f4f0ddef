use gridwright::prelude::*;

/// # Safety
/// `n` is at most the input's length.
#[gpu_kernel(block = 256)]
unsafe fn sums(g: &Group, n: usize, x: &[f32], mut sums: PerGroup<[f32]>) {
    let mine = g.map((), |t, ()| if t.index() < n { unsafe { *x.get_unchecked(t.index()) } } else { 0.0 });
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}

fn main() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (x, mut y) = (stream.alloc_zeroed::<f32>(256)?, stream.alloc_zeroed::<f32>(1)?);
    sums::load(&device)?.launch(&stream, LaunchConfig::grid(1, 256), (256, &x, &mut y))
}
