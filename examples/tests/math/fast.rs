//! The fast functions: each within what its documentation promises, over the range that it promises it for.

use gridwright::math::fast;
use gridwright::prelude::*;

/// The kernel, what it calls, the exact function, the range, and the largest error of a result by its argument: in units of the last
/// place beyond rounding, or an absolute one if that is more.
macro_rules! functions {
    ($($name:ident = $of:expr, $exact:expr, $range:expr, $units:expr, $absolute:expr;)*) => {
        $(
            #[gpu_kernel(requires = x.len() == out.len())]
            fn $name(t: Thread, x: &[f32], mut out: PerThread<[f32]>) {
                if let Some(out) = out.get_mut(t) {
                    *out = $of(x[t.index()]);
                }
            }
        )*

        #[cfg(not(gridwright_device))]
        mod tests {
            use super::check;
            use crate::reference::narrow;

            $(
                #[test]
                fn $name() -> Result<(), gridwright::Error> {
                    check(stringify!($name), $exact, $range, $units, $absolute, |device, stream, config, x, out| {
                        super::$name::load(device)?.launch(stream, config, (x, out))
                    })
                }
            )*
        }
    };
}

functions! {
    fast_cos = fast::cos, f64::cos, -std::f64::consts::PI..=std::f64::consts::PI, |_| 0.0, |_| 2_f64.powi(-20);
    fast_div = |x| fast::div(1.7, x), |x| f64::from(1.7_f32) / x, -8.0e37..=8.0e37, |_| 2.0, |_| 0.0;
    fast_exp = fast::exp, f64::exp, -87.0..=88.0, |x: f64| 2.0 + 1.2 * x.abs(), |_| 0.0;
    fast_exp10 = fast::exp10, narrow::exp10, -37.5..=38.0, |x: f64| 2.0 + 3.0 * x.abs(), |_| 0.0;
    fast_exp2 = fast::exp2, f64::exp2, -125.0..=127.5, |_| 2.0, |_| 0.0;
    fast_ln = fast::ln, f64::ln, 1e-30..=1e30, |_| 3.0, |x: f64| if (0.5..=2.0).contains(&x) { 2_f64.powf(-21.4) } else { 0.0 };
    fast_log10 = fast::log10, f64::log10, 1e-30..=1e30, |_| 3.0, |x: f64| if (0.5..=2.0).contains(&x) { 2_f64.powi(-23) } else { 0.0 };
    fast_log2 = fast::log2, f64::log2, 1e-30..=1e30, |_| 2.0, |x: f64| if (0.5..=2.0).contains(&x) { 2_f64.powi(-22) } else { 0.0 };
    fast_recip = fast::recip, |x| 1.0 / x, -8.0e37..=8.0e37, |_| 1.0, |_| 0.0;
    fast_rsqrt = fast::rsqrt, narrow::rsqrt, 1e-37..=1e38, |_| 2.0, |_| 0.0;
    fast_sin = fast::sin, f64::sin, -std::f64::consts::PI..=std::f64::consts::PI, |_| 0.0, |_| 2_f64.powi(-20);
    fast_sqrt = fast::sqrt, f64::sqrt, 1e-37..=1e38, |_| 1.0, |_| 0.0;
    fast_tanh = fast::tanh, f64::tanh, -20.0..=20.0, |_| 0.0, |_| 2_f64.powi(-21);
}

#[cfg(not(gridwright_device))]
type Launch = fn(
    &Device,
    &Stream,
    LaunchConfig,
    &gridwright::Buffer<f32>,
    &mut gridwright::Buffer<f32>,
) -> Result<(), gridwright::Error>;

/// Holds results against the promise, on the device of the environment. What is subnormal may count as zero.
#[cfg(not(gridwright_device))]
fn check(
    name: &str,
    exact: fn(f64) -> f64,
    range: std::ops::RangeInclusive<f64>,
    units: fn(f64) -> f64,
    absolute: fn(f64) -> f64,
    launch: Launch,
) -> Result<(), gridwright::Error> {
    use crate::inputs::{self, Inputs};
    use crate::measure::{BOUNDS, is_off};
    use crate::ulp::Measured;

    if is_off(BOUNDS) {
        return Ok(());
    }

    let mut x: Vec<f32> = inputs::one(1 << 13, &range);
    x.retain(|x| x.is_in(&range) && !x.is_subnormal() && *x != 0.0);
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let mut out = stream.alloc_zeroed::<f32>(x.len())?;
    launch(&device, &stream, LaunchConfig::threads(x.len()), &stream.upload(&x)?, &mut out)?;
    for (&x, &result) in x.iter().zip(&stream.download(&out)?) {
        let exact = exact(x.into());
        let (argument, distance) = (f64::from(x), (f64::from(result) - exact).abs());
        let is_zero = exact.abs() < f64::from(f32::MIN_POSITIVE) && result == 0.0;
        let is_near = result.error(exact) <= units(argument) + 0.5 || distance <= absolute(argument);
        assert!(is_near || is_zero, "{name}({x:?}) gave {result:?}, {exact:e} is exact");
    }
    Ok(())
}
