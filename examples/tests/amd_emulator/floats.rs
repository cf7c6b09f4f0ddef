//! Arithmetic of floats that is rounded once. `cargo xtask codegen` compares this kernel's code with that of HIP, too.

use gridwright::prelude::*;

/// y = √(a·x + y).
#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn fma_sqrt(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y).sqrt();
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::fma_sqrt;
    use crate::emulator::Emulator;
    use crate::examples::cpu;
    use gridwright::prelude::*;

    #[test]
    fn fused_products_and_square_roots_give_the_bits_that_they_give_on_the_cpu() {
        let Some(mut emulator) = Emulator::<fma_sqrt>::start() else { return };
        let n = 1000;
        // Over many powers of two, below zero as well: then there is no root.
        let x: Vec<f32> = (0..n).map(|i| (i as f32 + 0.37) * 2_f32.powi(i % 60 - 30)).collect();
        let y: Vec<f32> = (0..n).map(|i| (i % 7 - 1) as f32 * 1.1).collect();
        let a = 0.3;
        let config = LaunchConfig::threads(n as usize);
        let on_the_cpu = || {
            let (device, stream) = cpu()?;
            let (x, mut y) = (stream.upload(&x)?, stream.upload(&y)?);
            fma_sqrt::load(&device)?.launch(&stream, config, (a, &x, &mut y))?;
            let roots = stream.download(&y)?;
            let (some, none) = (roots.iter().filter(|root| root.is_finite()).count(), n as usize);
            assert!(some > none / 2 && some < none, "{some} roots of {none}");
            Ok([roots])
        };
        emulator.compare(config, on_the_cpu, |memory| {
            let y = memory.slice(&y);
            ((a, memory.slice(&x), y), [y.pointer])
        });
    }
}
