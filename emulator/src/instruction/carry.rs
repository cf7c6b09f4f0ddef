//! Additions, subtractions and products that hand a carry on.
//!
//! There is one flag. A subtraction adds the complement, as the machine code of GPUs does: it leaves a carry where nothing is borrowed,
//! and an addition behind it takes that.

use super::decoder::{Decoded, Decoder};
use super::handler::Handler;
use super::operation::Action;
use crate::machine::{Lane, Lanes, Operands};
use crate::parse::syntax::Type;

const READS: u32 = 1;
const WRITES: u32 = 2;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let wide = match ty {
        Type::Float(_) => return Err(decoder.unknown()),
        _ if ty.bits() == 32 => false,
        _ if ty.bits() == 64 => true,
        _ => return Err(decoder.unknown()),
    };
    let (part, writes) = match decoder.modifiers(1)? {
        [] => ("", false),
        ["cc"] => ("", true),
        [part @ ("lo" | "hi")] => (*part, false),
        [part @ ("lo" | "hi"), "cc"] => (*part, true),
        _ => return Err(decoder.unknown()),
    };
    let name = decoder.parts[0];
    let reads = matches!(name, "addc" | "subc" | "madc");
    let handler: Handler = match (name, part, wide) {
        ("add" | "addc", "", false) => add::<u32>,
        ("add" | "addc", "", true) => add::<u64>,
        ("sub" | "subc", "", false) => subtract::<u32>,
        ("sub" | "subc", "", true) => subtract::<u64>,
        ("mad" | "madc", "lo", false) => multiply_add::<u32, false, false>,
        ("mad" | "madc", "lo", true) => multiply_add::<u64, false, false>,
        ("mad" | "madc", "hi", false) if ty.is_signed() => multiply_add::<u32, true, true>,
        ("mad" | "madc", "hi", false) => multiply_add::<u32, true, false>,
        ("mad" | "madc", "hi", true) if ty.is_signed() => multiply_add::<u64, true, true>,
        ("mad" | "madc", "hi", true) => multiply_add::<u64, true, false>,
        _ => return Err(decoder.unknown()),
    };
    let sources = if part.is_empty() { 2 } else { 3 };
    let Action::Compute(handler, operands) = decoder.uniform_of(sources, Some(handler), ty)? else {
        return Err(decoder.unknown());
    };
    let p = decoder.carry_flag();
    let x = if reads { READS } else { 0 } | if writes { WRITES } else { 0 };
    Ok(Action::Compute(handler, Operands { p, x, ..operands }))
}

/// Unsigned integers with a carry.
trait Carried: Lane {
    fn add(self, other: Self, carry: bool) -> (Self, bool);
    fn subtract(self, other: Self, borrow: bool) -> (Self, bool);
    fn multiply(self, other: Self, high: bool, signed: bool) -> Self;
}

macro_rules! carried {
    ($t:ty, $signed:ty, $double:ty, $signed_double:ty) => {
        impl Carried for $t {
            fn add(self, other: Self, carry: bool) -> (Self, bool) {
                let (sum, first) = self.overflowing_add(other);
                let (sum, second) = sum.overflowing_add(carry.into());
                (sum, first | second)
            }

            fn subtract(self, other: Self, borrow: bool) -> (Self, bool) {
                let (difference, first) = self.overflowing_sub(other);
                let (difference, second) = difference.overflowing_sub(borrow.into());
                (difference, first | second)
            }

            fn multiply(self, other: Self, high: bool, signed: bool) -> Self {
                match (high, signed) {
                    (false, _) => self.wrapping_mul(other),
                    (true, false) => ((<$double>::from(self) * <$double>::from(other)) >> <$t>::BITS) as $t,
                    (true, true) => {
                        let (a, b) = (self as $signed, other as $signed);
                        ((<$signed_double>::from(a) * <$signed_double>::from(b)) >> <$t>::BITS) as $t
                    }
                }
            }
        }
    };
}
carried!(u32, i32, u64, i64);
carried!(u64, i64, u128, i128);

fn with_carry<T: Lane>(
    lanes: &mut Lanes<'_>,
    operands: &Operands,
    mask: u32,
    start: u32,
    f: impl Fn(T, T, T, bool) -> (T, bool),
) {
    let (a, b, c) = (T::read(lanes, operands.a), T::read(lanes, operands.b), T::read(lanes, operands.c));
    // Without a carry from before, a sum begins with none, and a difference with no borrow.
    let carry = if operands.x & READS != 0 { lanes.predicate(operands.p) } else { start };
    let mut results = [T::default(); 32];
    let mut carries = 0;
    for lane in 0..32 {
        let (result, carried) = f(a[lane], b[lane], c[lane], carry >> lane & 1 == 1);
        results[lane] = result;
        carries |= u32::from(carried) << lane;
    }
    T::write(lanes, operands.d, mask, &results);
    if operands.x & WRITES != 0 {
        lanes.set_predicate(operands.p, mask, carries);
    }
}

fn add<T: Carried>(lanes: &mut Lanes<'_>, operands: &Operands, mask: u32) {
    with_carry::<T>(lanes, operands, mask, 0, |a, b, _, carry| a.add(b, carry));
}

fn subtract<T: Carried>(lanes: &mut Lanes<'_>, operands: &Operands, mask: u32) {
    with_carry::<T>(lanes, operands, mask, u32::MAX, |a, b, _, carry| {
        let (difference, borrow) = a.subtract(b, !carry);
        (difference, !borrow)
    });
}

fn multiply_add<T: Carried, const HIGH: bool, const SIGNED: bool>(
    lanes: &mut Lanes<'_>,
    operands: &Operands,
    mask: u32,
) {
    with_carry::<T>(lanes, operands, mask, 0, |a, b, c, carry| a.multiply(b, HIGH, SIGNED).add(c, carry));
}
