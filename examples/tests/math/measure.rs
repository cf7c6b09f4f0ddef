//! The functions' kernels on a device, and how far their results are from the exact ones.
//!
//! Settings of the environment, for `cargo xtask math`:
//!
//! | variable | what it says |
//! |---|---|
//! | `GRIDWRIGHT_DEVICE` | the device; the CPU if nothing is said |
//! | `GRIDWRIGHT_MATH_INPUTS` | how many arguments, or `all` for each number of 32 bits; 4096 if nothing is said |
//! | `GRIDWRIGHT_MATH_RESULTS` | a file that gets a line of JSON for each function |
//! | `GRIDWRIGHT_MATH_SUBNORMALS` | `off`: arguments and results that are subnormal aren't measured, nor two arguments of which one's square or reciprocal is |
//! | `GRIDWRIGHT_MATH_BOUNDS` | `off`: the errors are noted, and not held against what is promised |

use std::fs::OpenOptions;
use std::io::Write;
use std::ops::RangeInclusive;

use gridwright::prelude::*;
use gridwright::{Buffer, Error, KernelArg};

use crate::inputs::{self, Inputs};
use crate::ulp::Measured;

const INPUTS: &str = "GRIDWRIGHT_MATH_INPUTS";
const RESULTS: &str = "GRIDWRIGHT_MATH_RESULTS";
const SUBNORMALS: &str = "GRIDWRIGHT_MATH_SUBNORMALS";
pub(crate) const BOUNDS: &str = "GRIDWRIGHT_MATH_BOUNDS";

/// What exact values of 64 bits, for floats of 32, are rounded by, in their units, and more.
const ROUNDING: f64 = 1e-6;

/// Arguments of a launch, where there are very many.
const CHUNK: u64 = 1 << 22;

/// A function, and what is promised of it.
pub(crate) struct Function<T: Measured + KernelArg> {
    pub(crate) name: &'static str,
    /// The largest error that its documentation promises, in units of the last place.
    pub(crate) bound: f64,
    /// The largest difference of CUDA's function to the correctly rounded result, in units of the last place, as documented: the CUDA
    /// C++ Programming Guide, "Mathematical Functions". To the exact value it is half a unit more.
    pub(crate) cuda: f64,
    pub(crate) arguments: Arguments<T>,
    /// Arguments of which nothing is promised.
    pub(crate) except: Option<RangeInclusive<f64>>,
    pub(crate) launch: Launch<T>,
}

/// Launches a kernel on up to two arguments.
type Launch<T> = fn(&Device, &Stream, LaunchConfig, [&Buffer<T>; 2], &mut Buffer<T>) -> Result<(), Error>;

/// The exact function, and where it is interesting.
pub(crate) enum Arguments<T: Measured> {
    One(fn(T::Exact) -> T::Exact, RangeInclusive<f64>),
    Two(fn(T::Exact, T::Exact) -> T::Exact, [RangeInclusive<f64>; 2]),
}

/// Errors that were found, in units of the last place.
#[derive(Debug)]
struct Errors<T> {
    max: f64,
    /// Where that is: the arguments, and the result.
    at: Option<([T; 2], T)>,
    sum: f64,
    count: u64,
}

impl<T: Measured> Errors<T> {
    fn add(&mut self, arguments: [T; 2], result: T, exact: T::Exact) {
        let error = result.error(exact);
        if error > self.max {
            self.max = error;
            self.at = Some((arguments, result));
        }
        self.sum += error;
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

/// Whether a setting is `off`.
pub(crate) fn is_off(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value == "off")
}

/// Runs the function's kernel on the device of the environment, and compares.
///
/// # Panics
/// Where a result is further from the exact value than is promised.
pub(crate) fn measure<T>(function: &Function<T>) -> Result<(), Error>
where
    T: Measured + Inputs + KernelArg + std::fmt::Debug,
{
    let Function { name, bound, cuda, arguments, except, launch } = function;
    assert!(*bound <= cuda + 0.5, "{name}: the bound is {bound}, CUDA's is {cuda} beyond rounding");
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let mut errors = Errors { max: 0.0, at: None, sum: 0.0, count: 0 };
    let without_subnormals = is_off(SUBNORMALS);
    let mut compare = |x: &[T], y: &[T]| -> Result<(), Error> {
        let mut out = stream.alloc_zeroed::<T>(x.len())?;
        let (device_x, device_y) = (stream.upload(x)?, stream.upload(y)?);
        launch(&device, &stream, LaunchConfig::threads(x.len()), [&device_x, &device_y], &mut out)?;
        for ((&x, &y), &result) in x.iter().zip(y).zip(&stream.download(&out)?) {
            if except.as_ref().is_some_and(|except| x.is_in(except)) {
                continue;
            }
            let exact = match arguments {
                Arguments::One(exact, _) => exact(x.exactly()),
                Arguments::Two(exact, _) => exact(x.exactly(), y.exactly()),
            };
            let powers =
                matches!(arguments, Arguments::Two(..)) && [x, y].iter().any(|x| x.has_subnormal_powers());
            let is_subnormal = powers || T::is_subnormal(x.exactly()) || T::is_subnormal(y.exactly());
            if without_subnormals && (is_subnormal || T::is_subnormal(exact)) {
                continue;
            }
            errors.add([x, y], result, exact);
        }
        Ok(())
    };
    let asked = std::env::var(INPUTS);
    let asked = asked.as_deref().unwrap_or("4096");
    match (arguments, T::ALL) {
        (Arguments::One(..), Some(all)) if asked == "all" => {
            for chunk in (0..all).step_by(CHUNK as usize) {
                let x: Vec<T> = (chunk..chunk + CHUNK).map(T::of_bits).collect();
                compare(&x, &x)?;
            }
        }
        _ => {
            let n = if asked == "all" {
                1 << 20
            } else {
                asked.parse().expect("a number of arguments, or `all`")
            };
            match arguments {
                Arguments::One(_, range) => {
                    let x = inputs::one(n, range);
                    compare(&x, &x)?;
                }
                Arguments::Two(_, ranges) => {
                    let [x, y] = inputs::two(n, ranges);
                    compare(&x, &y)?;
                }
            }
        }
    }
    let (max, mean, count) = (errors.max, errors.mean(), errors.count);
    println!("{name}: at most {max:.3}, {mean:.4} on average, of {count}");
    if let Some(file) = std::env::var_os(RESULTS) {
        let line = serde_json::json!({
            "function": name, "device": device.name(), "cuda": cuda, "bound": bound, "max": max, "mean": mean, "inputs": count,
        });
        // Tests run side by side: each line is one write.
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("a file to write");
        file.write_all(format!("{line}\n").as_bytes()).expect("a file to write");
    }
    if max > bound + ROUNDING && !is_off(BOUNDS) {
        let ([x, y], result) = errors.at.expect("an error is that of arguments");
        let arguments = match arguments {
            Arguments::One(..) => format!("{x:?}"),
            Arguments::Two(..) => format!("{x:?}, {y:?}"),
        };
        panic!("{name}({arguments}) gave {result:?}: an error of {max:.3} units, and {bound} are promised");
    }
    Ok(())
}
