//! Kernels that are generic over the traits of `num-traits`, on the CPU and the emulator.

use gridwright::numbers::{Bf16, F16};
use gridwright::prelude::*;
use num_traits::float::FloatCore;
use num_traits::{AsPrimitive, Bounded, Float, Num, NumCast, Signed};

// ANCHOR: polynomial
/// A polynomial of any numbers, by Horner's rule.
fn horner<T: Num + Copy>(factors: &[T], x: T) -> T {
    factors.iter().rev().fold(T::zero(), |sum, &factor| sum * x + factor)
}

#[gpu_kernel(instances(f32, f64, i32, u64, F16, Bf16), requires = x.len() == y.len())]
fn polynomial<T: Num + KernelArg>(t: Thread, factors: &[T], x: &[T], mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        *y = horner(factors, x[t.index()]);
    }
}
// ANCHOR_END: polynomial

#[gpu_kernel(instances(i32, f32, F16), requires = x.len() == y.len())]
fn limited<T: Signed + Bounded + NumCast + PartialOrd + KernelArg>(
    t: Thread,
    x: &[T],
    mut y: PerThread<[T]>,
) {
    if let Some(y) = y.get_mut(t) {
        let most = T::from(100).unwrap_or(T::max_value());
        let x = x[t.index()].abs();
        *y = if x > most { most } else { x };
    }
}

#[gpu_kernel(instances(f32, f64, F16, Bf16), requires = x.len() == y.len())]
fn rounded<T: FloatCore + AsPrimitive<i32> + KernelArg>(t: Thread, x: &[T], mut y: PerThread<[i32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()].round().max(T::zero()).as_();
    }
}

#[gpu_kernel(instances(f32, f64), requires = x.len() == y.len())]
fn length<T: Float + KernelArg>(t: Thread, x: &[T], mut y: PerThread<[T]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = (x * x + T::one()).sqrt();
    }
}

/// The CPU and the emulator.
#[host_only]
fn devices() -> Result<[Device; 2], gridwright::Error> {
    Ok([Device::cpu()?, Device::emulator()?])
}

#[host_only]
const N: usize = 5;

#[test]
#[host_only]
fn what_is_generic_over_num_runs_with_each_type() -> Result<(), gridwright::Error> {
    macro_rules! check {
        ($($number:ty)*) => {$(
            for device in devices()? {
                let number = |n: i32| <$number as NumCast>::from(n).unwrap_or(<$number as Bounded>::max_value());
                let (factors, x) = ([1, 2, 3].map(number), [0, 1, 2, 3, 4].map(number));
                let mut y = [number(0); N];
                polynomial::<$number>::load(&device)?.run(&device, LaunchConfig::threads(N), (&factors, &x, InOut(&mut y)))?;
                assert_eq!(y, [1, 6, 17, 34, 57].map(number), "{} of {}", stringify!($number), device.name());
            }
        )*};
    }
    check!(f32 f64 i32 u64 F16 Bf16);
    Ok(())
}

#[test]
#[host_only]
fn bounds_casts_and_signs_are_there() -> Result<(), gridwright::Error> {
    for device in devices()? {
        let (x, mut y) = ([-3.0, 250.0, -1000.0, 7.5, 0.0].map(F16::from_f32), [F16::ZERO; N]);
        limited::<F16>::load(&device)?.run(&device, LaunchConfig::threads(N), (&x, InOut(&mut y)))?;
        assert_eq!(y.map(F16::to_f32), [3.0, 100.0, 100.0, 7.5, 0.0]);
        let mut rounds = [0; N];
        rounded::<F16>::load(&device)?.run(&device, LaunchConfig::threads(N), (&x, InOut(&mut rounds)))?;
        assert_eq!(rounds, [0, 250, 0, 8, 0]);
        let mut y = [0.0; N];
        length::<f64>::load(&device)?.run(&device, LaunchConfig::threads(N), (&[0.75; N], InOut(&mut y)))?;
        assert_eq!(y, [1.25; N]);
    }
    Ok(())
}
