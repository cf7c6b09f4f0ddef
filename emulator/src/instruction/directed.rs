//! Arithmetic in the rounding modes that the host's arithmetic doesn't have.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::machine::Operands;

/// An IEEE rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
}

impl Rounding {
    /// `rn`, `rz`, `rm`, `rp`, as they stand in an opcode.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "rn" => Some(Self::Nearest),
            "rz" => Some(Self::Zero),
            "rm" => Some(Self::Down),
            "rp" => Some(Self::Up),
            _ => None,
        }
    }

    /// The mode's number, as handlers keep it.
    pub(super) fn number(self) -> u32 {
        self as u32
    }

    pub(super) fn of(operands: &Operands) -> Self {
        match operands.x & 3 {
            0 => Self::Nearest,
            1 => Self::Zero,
            2 => Self::Down,
            _ => Self::Up,
        }
    }

    pub(super) fn round(self) -> Round {
        match self {
            Self::Nearest => Round::NearestTiesToEven,
            Self::Zero => Round::TowardZero,
            Self::Down => Round::TowardNegative,
            Self::Up => Round::TowardPositive,
        }
    }
}

/// Floats that have a software counterpart.
pub(super) trait Soft: Copy {
    type Float: Float;

    fn soft(self) -> Self::Float;
    fn hard(value: Self::Float) -> Self;

    fn add(self, other: Self, rounding: Rounding) -> Self {
        Self::hard(self.soft().add_r(other.soft(), rounding.round()).value)
    }

    fn sub(self, other: Self, rounding: Rounding) -> Self {
        Self::hard(self.soft().sub_r(other.soft(), rounding.round()).value)
    }

    fn mul(self, other: Self, rounding: Rounding) -> Self {
        Self::hard(self.soft().mul_r(other.soft(), rounding.round()).value)
    }

    fn div(self, other: Self, rounding: Rounding) -> Self {
        Self::hard(self.soft().div_r(other.soft(), rounding.round()).value)
    }

    fn fma(self, factor: Self, addend: Self, rounding: Rounding) -> Self {
        Self::hard(self.soft().mul_add_r(factor.soft(), addend.soft(), rounding.round()).value)
    }
}

impl Soft for f32 {
    type Float = Single;

    fn soft(self) -> Single {
        Single::from_bits(self.to_bits().into())
    }

    fn hard(value: Single) -> Self {
        Self::from_bits(value.to_bits() as u32)
    }
}

impl Soft for f64 {
    type Float = Double;

    fn soft(self) -> Double {
        Double::from_bits(self.to_bits().into())
    }

    fn hard(value: Double) -> Self {
        Self::from_bits(value.to_bits() as u64)
    }
}

/// The square root, from the sign of the error of the nearest one.
pub(super) fn sqrt(value: f64, rounding: Rounding) -> f64 {
    let nearest = value.sqrt();
    if rounding == Rounding::Nearest || !nearest.is_finite() || nearest == 0.0 {
        return nearest;
    }
    // Scaled by even powers of two, so that the error isn't lost in denormals.
    let scale = if value < 1e-200 { 2.0_f64.powi(200) } else { 1.0 };
    let root = nearest * scale.sqrt();
    step(nearest, (-root).mul_add(root, value * scale), rounding)
}

pub(super) fn sqrt_single(value: f32, rounding: Rounding) -> f32 {
    let root = f64::from(value).sqrt();
    let error = (-root).mul_add(root, f64::from(value));
    single(root, error, rounding)
}

/// `value + error` with an error of less than half a unit of `value`.
fn single(value: f64, error: f64, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    if rounding == Rounding::Nearest || nearest.is_nan() || value.is_infinite() {
        return nearest;
    }
    let difference = value - f64::from(nearest);
    let difference = if difference == 0.0 { error } else { difference };
    let down = match rounding {
        Rounding::Nearest => false,
        Rounding::Zero => (difference < 0.0) == (nearest > 0.0) && difference != 0.0,
        Rounding::Down => difference < 0.0,
        Rounding::Up => difference > 0.0,
    };
    match rounding {
        Rounding::Zero if down && nearest > 0.0 => nearest.next_down(),
        Rounding::Zero if down && nearest < 0.0 => nearest.next_up(),
        Rounding::Down if down => nearest.next_down(),
        Rounding::Up if down => nearest.next_up(),
        _ => nearest,
    }
}

/// The neighbour of the nearest value, where the exact one lies on its other side.
fn step(nearest: f64, error: f64, rounding: Rounding) -> f64 {
    let towards_zero_is_down = nearest > 0.0;
    match rounding {
        Rounding::Down if error < 0.0 => nearest.next_down(),
        Rounding::Up if error > 0.0 => nearest.next_up(),
        Rounding::Zero if towards_zero_is_down && error < 0.0 => nearest.next_down(),
        Rounding::Zero if !towards_zero_is_down && error > 0.0 => nearest.next_up(),
        _ => nearest,
    }
}

/// `a * b + c` in doubles.
pub(crate) fn multiply_add(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest { a.mul_add(b, c) } else { Soft::fma(a, b, c, rounding) }
}

pub(super) fn to_single(value: f64, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        return value as f32;
    }
    let converted: rustc_apfloat::StatusAnd<Single> = value.soft().convert_r(rounding.round(), &mut false);
    f32::hard(converted.value)
}

/// The bits of a half.
pub(super) fn to_half(value: f64, rounding: Rounding) -> u16 {
    let converted: rustc_apfloat::StatusAnd<Half> = value.soft().convert_r(rounding.round(), &mut false);
    converted.value.to_bits() as u16
}

pub(super) fn to_brain(value: f64, rounding: Rounding) -> u16 {
    let converted: rustc_apfloat::StatusAnd<BFloat> = value.soft().convert_r(rounding.round(), &mut false);
    converted.value.to_bits() as u16
}

pub(super) fn integer_to_double(value: i128, rounding: Rounding) -> f64 {
    f64::hard(Double::from_i128_r(value, rounding.round()).value)
}

pub(super) fn integer_to_single(value: i128, rounding: Rounding) -> f32 {
    f32::hard(Single::from_i128_r(value, rounding.round()).value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Rounding; 3] = [Rounding::Zero, Rounding::Down, Rounding::Up];

    #[test]
    fn square_roots_bracket_the_exact_one() {
        let mut seed = 1_u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = f64::from_bits(seed >> 1);
            if !value.is_finite() {
                continue;
            }
            let [zero, down, up] = MODES.map(|mode| sqrt(value, mode));
            assert_eq!(zero, down);
            assert!(up == down || up == down.next_up(), "{value:e}: {down:e} {up:e}");
            assert!([down, up].contains(&value.sqrt()));
            let single = (value as f32).abs();
            if single.is_finite() {
                let [zero, down, up] = MODES.map(|mode| sqrt_single(single, mode));
                assert_eq!(zero, down);
                let exact = f64::from(single);
                assert!(f64::from(down) * f64::from(down) <= exact, "{single:e}");
                assert!(f64::from(up) * f64::from(up) >= exact, "{single:e}");
            }
        }
    }
}
