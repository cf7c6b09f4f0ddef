//! Operators and methods of floats: what `core` gives, and what the prelude adds where only std has it.

use crate::rows::rows;

/// The rows of a type. A minimum or maximum of two zeros may be either.
macro_rules! float {
    ($number:ident, $bits:ident, $signed:ident: $arithmetic:ident, $comparisons:ident, $methods:ident) => {
        rows! { $arithmetic: $number, words 2, |a, b, c| {
            add: a + b;
            sub: a - b;
            mul: a * b;
            div: a / b;
            rem: a % b;
            rem_by_one: a % 1.0;
            rem_by_seven: a % 7.0;
            math_rem: math::rem(a, b);
            rem_euclid: a.rem_euclid(b);
            div_euclid: a.div_euclid(b);
            neg: -a;
            sub_from_zero: 0.0 - a;
            product_with_difference_from_zero: (0.0 - a) * b;
            add_zero: a + 0.0;
            mul_by_two: a * 2.0;
            div_by_two: a / 2.0;
            div_by_three: a / 3.0;
            mul_add: a.mul_add(b, c);
            math_mul_add: math::mul_add(a, b, c);
            recip: a.recip();
            one_over: 1.0 / a;
            sqrt: a.sqrt();
            sqrt_of_quotient: (a / b).sqrt();
            midpoint: a.midpoint(b);
            to_degrees: a.to_degrees();
            to_radians: a.to_radians();
            sum: [a, b, c].iter().sum::<$number>();
        } }
        rows! { $comparisons: $number, words 2, |a, b, c| {
            eq: a == b;
            ne: a != b;
            lt: a < b;
            le: a <= b;
            gt: a > b;
            ge: a >= b;
            not_lt: !(a < b);
            not_ge: !(a >= b);
            partial_cmp: a.partial_cmp(&b);
            total_cmp: a.total_cmp(&b);
            min: a.min(b) + 0.0;
            max: a.max(b) + 0.0;
            min_of_three: a.min(b).min(c) + 0.0;
            clamp: if b <= c { a.clamp(b, c) + 0.0 } else { 0.0 };
            clamp_to_one: a.clamp(-1.0, 1.0);
            chosen: if a < b { a } else { b };
            chosen_of_le: if a <= b { b } else { a };
            chosen_zero: if a == 0.0 { b } else { a };
            is_nan: a.is_nan();
            is_infinite: a.is_infinite();
            is_finite: a.is_finite();
            is_normal: a.is_normal();
            is_subnormal: a.is_subnormal();
            is_sign_positive: a.is_sign_positive() && !a.is_nan();
            is_sign_negative: a.is_sign_negative() && !a.is_nan();
            classify: a.classify();
            is_between: (b..c).contains(&a);
        } }
        rows! { $methods: $number, words 2, |a, b, c| {
            abs: a.abs();
            signum: a.signum();
            copysign: a.copysign(if b.is_nan() { 1.0 } else { b });
            floor: a.floor();
            ceil: a.ceil();
            trunc: a.trunc();
            fract: a.fract();
            round: a.round();
            round_ties_even: a.round_ties_even();
            floor_as_integer: a.floor() as $signed;
            round_as_integer: a.round() as $signed;
            math_abs: math::abs(a);
            math_floor: math::floor(a);
            math_ceil: math::ceil(a);
            math_trunc: math::trunc(a);
            math_fract: math::fract(a);
            math_round: math::round(a);
            math_round_ties_even: math::round_ties_even(a);
            math_sqrt: math::sqrt(a);
            math_copysign: math::copysign(a, if b.is_nan() { 1.0 } else { b });
            next_up: a.next_up();
            next_down: a.next_down();
            to_bits: a.to_bits();
            from_bits: $number::from_bits(a.to_bits() ^ (b.to_bits() >> 3));
            sign_of_bits: (a.to_bits() as $signed) < 0;
            exponent_of_bits: a.to_bits() >> ($number::MANTISSA_DIGITS - 1) & 0xff;
            to_be_bytes: $bits::from_le_bytes(a.to_be_bytes());
            difference_of_abs: a.abs() - b.abs();
            neg_abs: -a.abs();
        } }
    };
}

float! { f32, u32, i32: f32_arithmetic, f32_comparisons, f32_methods }
float! { f64, u64, i64: f64_arithmetic, f64_comparisons, f64_methods }
