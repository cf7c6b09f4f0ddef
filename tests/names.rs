//! What may have the name of a kernel: a variable, a function, something imported.

use std::cmp::max;

use gridwright::prelude::*;

/// The greater of each two.
#[gpu_kernel(requires = x.len() == y.len())]
pub fn maxima(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = max(*y, x[t.index()]);
    }
}

/// A function of the kernel's name, as a naive loop is often called.
fn maxima(x: &[u32], y: &mut [u32]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = max(*y, *x));
}

mod of_a_module {
    pub(super) use super::maxima;
}

#[cfg(any())]
#[gpu_kernel]
fn left_out(_t: Thread, _x: NoSuchType) {}

#[test]
fn a_function_and_a_variable_may_have_a_kernels_name() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (x, mut host) = ([3, 1, 4, 1, 5], [2, 7, 1, 8, 2]);
    let (on_device, mut y) = (stream.upload(&x)?, stream.upload(&host)?);
    of_a_module::maxima(&x, &mut host);
    let maxima = maxima::load(&device)?;
    maxima.launch(&stream, LaunchConfig::threads(5), (&on_device, &mut y))?;
    assert_eq!(stream.download(&y)?, host);
    assert_eq!(host, [3, 7, 4, 8, 5]);

    // Also where the kernel is an item of a block.
    #[gpu_kernel]
    fn zero(t: Thread, mut y: PerThread<[u32]>) {
        if let Some(y) = y.get_mut(t) {
            *y = 0;
        }
    }
    let zero = zero::load(&device)?;
    zero.launch(&stream, LaunchConfig::threads(5), (&mut y,))?;
    assert_eq!(stream.download(&y)?, [0; 5]);
    Ok(())
}
