//! PTX's approximations: as exact as can be, or as far from that as the PTX ISA lets them be.

use super::handler::Handler;
use super::single::{FLUSH, SATURATE, canonical, flush, saturated};
use crate::machine::{Approximations, Lanes, Operands};

/// The largest error that the PTX ISA documents.
#[derive(Clone, Copy)]
enum Error {
    /// An error as a part of the value.
    Relative(f64),
    /// An error in units of the last place.
    Units(f64),
    Absolute(f64),
    /// The error of `lg2`: absolute for arguments from ½ to 2, else relative.
    Logarithm(f64),
}

/// The handler of an approximate instruction of 32-bit floats.
pub(super) fn handler(name: &str) -> Option<Handler> {
    Some(match name {
        "ex2" => |lanes, o, mask| one(lanes, o, mask, Error::Relative(2_f64.powf(-22.5)), f64::exp2),
        "lg2" => |lanes, o, mask| one(lanes, o, mask, Error::Logarithm(2_f64.powi(-22)), f64::log2),
        "sin" => |lanes, o, mask| one(lanes, o, mask, Error::Absolute(2_f64.powf(-20.9)), f64::sin),
        "cos" => |lanes, o, mask| one(lanes, o, mask, Error::Absolute(2_f64.powf(-20.9)), f64::cos),
        "tanh" => |lanes, o, mask| one(lanes, o, mask, Error::Relative(2_f64.powi(-11)), f64::tanh),
        "rcp" => |lanes, o, mask| one(lanes, o, mask, Error::Units(1.0), |a| 1.0 / a),
        "rsqrt" => {
            |lanes, o, mask| one(lanes, o, mask, Error::Relative(2_f64.powf(-22.9)), |a| 1.0 / a.sqrt())
        }
        "sqrt" => |lanes, o, mask| one(lanes, o, mask, Error::Relative(2_f64.powi(-23)), f64::sqrt),
        "div" => quotient,
        _ => return None,
    })
}

fn one(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, error: Error, f: impl Fn(f64) -> f64) {
    let (flushes, saturates) = (o.x & FLUSH != 0, o.x & SATURATE != 0);
    let approximations = lanes.approximations;
    let input = |value: f32| if flushes { flush(value) } else { value };
    lanes.map1::<f32, f32>(o, mask, |a| {
        let a = input(a);
        let value = input(approximate(f64::from(a), f(f64::from(a)), error, approximations));
        if saturates { saturated(value) } else { canonical(value) }
    });
}

fn quotient(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    let (flushes, saturates) = (o.x & FLUSH != 0, o.x & SATURATE != 0);
    let approximations = lanes.approximations;
    let input = |value: f32| if flushes { flush(value) } else { value };
    lanes.map2::<f32, f32, f32>(o, mask, |a, b| {
        let (a, b) = (f64::from(input(a)), f64::from(input(b)));
        let value = input(approximate(a, a / b, Error::Units(2.0), approximations));
        if saturates { saturated(value) } else { canonical(value) }
    });
}

/// The exact value off by the error, rounded so that it is within it, unless the nearest float is further. Results of zeros and
/// infinities, and those that aren't finite numbers, are the ISA's tables of corner cases and exact.
fn approximate(argument: f64, exact: f64, error: Error, approximations: Approximations) -> f32 {
    let nearest = exact as f32;
    if argument == 0.0 || !argument.is_finite() || !nearest.is_finite() || exact == 0.0 {
        return nearest;
    }
    let unit = f64::from(nearest.abs().next_up() - nearest.abs());
    let most = match error {
        Error::Relative(error) => error * exact.abs(),
        Error::Units(units) => units * unit,
        Error::Absolute(error) => error,
        Error::Logarithm(error) if (0.5..=2.0).contains(&argument) => error,
        Error::Logarithm(error) => error * exact.abs(),
    };
    match approximations {
        Approximations::Nearest => nearest,
        Approximations::Above => {
            let value = (exact + most) as f32;
            let value = if f64::from(value) > exact + most { value.next_down() } else { value };
            value.max(nearest)
        }
        Approximations::Below => {
            let value = (exact - most) as f32;
            let value = if f64::from(value) < exact - most { value.next_up() } else { value };
            value.min(nearest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Approximations, Error, approximate};

    #[test]
    fn errors_are_as_large_as_is_documented_and_no_larger() {
        let exact = 2_f64.powf(0.3);
        let value = |approximations| {
            f64::from(approximate(0.3, exact, Error::Relative(2_f64.powi(-20)), approximations)) / exact - 1.0
        };
        let (above, below) = (value(Approximations::Above), value(Approximations::Below));
        let most = 2_f64.powi(-20);
        assert!(above <= most && above > 0.9 * most, "{above:e}");
        assert!(below >= -most && below < -0.9 * most, "{below:e}");
        assert!(value(Approximations::Nearest).abs() < 2_f64.powi(-24));
    }

    #[test]
    fn units_are_those_of_the_result() {
        let value = |approximations| approximate(3.0, 1.0 / 3.0, Error::Units(1.0), approximations);
        // A third of a unit above the exact value; the next ones are 1⅓ units above it, and ⅔ below.
        let nearest = value(Approximations::Nearest);
        assert_eq!(value(Approximations::Above), nearest);
        assert_eq!(value(Approximations::Below), nearest.next_down());
    }

    #[test]
    fn corner_cases_are_exact() {
        for approximations in [Approximations::Above, Approximations::Below] {
            let of = |argument, exact| approximate(argument, exact, Error::Absolute(0.1), approximations);
            assert_eq!(of(0.0, 1.0), 1.0);
            assert_eq!(of(f64::INFINITY, 0.0).to_bits(), 0);
            assert!(of(-1.0, f64::NAN).is_nan());
            assert_eq!(of(200.0, 1e60), f32::INFINITY);
            assert_eq!(of(1.0, 0.0), 0.0);
        }
    }
}
