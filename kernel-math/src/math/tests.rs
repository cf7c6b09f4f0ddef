use super::{self as math, fast};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// The least positive number.
const LEAST: f32 = f32::from_bits(1);

/// Fails unless two results are equal to the bit, so that zeros have their signs; any NaN equals any other.
fn assert_same(function: &str, x: f32, result: f32, expected: f32) {
    let same = result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
    assert!(same, "{function}({x:e}) is {expected:e}, not {result:e}");
}

/// A function with pairs of an argument and the result.
type Row = (&'static str, fn(f32) -> f32, &'static [(f32, f32)]);

#[test]
fn zeros_infinities_and_nan_give_what_the_standard_says() {
    let rows: &[Row] = &[
        (
            "exp",
            math::exp,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (LEAST, 1.0), (-LEAST, 1.0), (f32::MAX, INF)],
        ),
        (
            "exp2",
            math::exp2,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (-149.0, LEAST), (-151.0, 0.0), (128.0, INF)],
        ),
        (
            "exp10",
            math::exp10,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (39.0, INF), (-46.0, 0.0)],
        ),
        (
            "exp_m1",
            math::exp_m1,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        (
            "ln",
            math::ln,
            &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (-LEAST, NAN)],
        ),
        (
            "log2",
            math::log2,
            &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (LEAST, -149.0), (-LEAST, NAN)],
        ),
        (
            "log10",
            math::log10,
            &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (10.0, 1.0), (-LEAST, NAN)],
        ),
        (
            "ln_1p",
            math::ln_1p,
            &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-2.0, NAN), (LEAST, LEAST), (-INF, NAN)],
        ),
        (
            "sin",
            math::sin,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        ("cos", math::cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (LEAST, 1.0)]),
        (
            "tan",
            math::tan,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        (
            "sin_pi",
            math::sin_pi,
            &[(0.0, 0.0), (-0.0, -0.0), (1.0, 0.0), (-3.0, -0.0), (2.5, 1.0), (1e30, 0.0), (INF, NAN)],
        ),
        (
            "cos_pi",
            math::cos_pi,
            &[(0.0, 1.0), (-0.0, 1.0), (0.5, 0.0), (-1.5, 0.0), (1.0, -1.0), (1e30, 1.0), (-INF, NAN)],
        ),
        (
            "asin",
            math::asin,
            &[(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-INF, NAN), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        ("acos", math::acos, &[(1.0, 0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN)]),
        (
            "atan",
            math::atan,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, core::f32::consts::FRAC_PI_2), (LEAST, LEAST)],
        ),
        (
            "sinh",
            math::sinh,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (-f32::MAX, -INF)],
        ),
        (
            "cosh",
            math::cosh,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (LEAST, 1.0), (-f32::MAX, INF)],
        ),
        (
            "tanh",
            math::tanh,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        (
            "asinh",
            math::asinh,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (-LEAST, -LEAST)],
        ),
        ("acosh", math::acosh, &[(1.0, 0.0), (0.5, NAN), (-1.0, NAN), (-3.0, NAN), (-INF, NAN), (INF, INF)]),
        (
            "atanh",
            math::atanh,
            &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), (LEAST, LEAST)],
        ),
        (
            "cbrt",
            math::cbrt,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (-27.0, -3.0), (1.0, 1.0)],
        ),
        ("rcbrt", math::rcbrt, &[(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (-8.0, -0.5)]),
        (
            "rsqrt",
            math::rsqrt,
            &[(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (-INF, NAN), (0.25, 2.0)],
        ),
        ("sqrt", math::sqrt, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (-LEAST, NAN)]),
        ("erf", math::erf, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (LEAST, LEAST)]),
        ("erfc", math::erfc, &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (LEAST, 1.0)]),
        (
            "erf_inv",
            math::erf_inv,
            &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN)],
        ),
        (
            "erfc_inv",
            math::erfc_inv,
            &[(1.0, 0.0), (0.0, INF), (-0.0, INF), (2.0, -INF), (-0.5, NAN), (2.5, NAN), (INF, NAN)],
        ),
        ("norm_cdf", math::norm_cdf, &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (LEAST, 0.5)]),
        (
            "norm_cdf_inv",
            math::norm_cdf_inv,
            &[(0.5, 0.0), (0.0, -INF), (-0.0, -INF), (1.0, INF), (-0.5, NAN), (1.5, NAN)],
        ),
        (
            "gamma",
            math::gamma,
            &[
                (0.0, INF),
                (-0.0, -INF),
                (INF, INF),
                (-INF, NAN),
                (-1.0, NAN),
                (-2e9, NAN),
                (36.0, INF),
                (LEAST, INF),
            ],
        ),
        (
            "ln_gamma",
            math::ln_gamma,
            &[(0.0, INF), (-0.0, INF), (1.0, 0.0), (2.0, 0.0), (INF, INF), (-INF, INF), (-3.0, INF)],
        ),
        ("floor", math::floor, &[(-0.0, -0.0), (-0.5, -1.0), (INF, INF), (LEAST, 0.0)]),
        ("ceil", math::ceil, &[(-0.5, -0.0), (0.5, 1.0), (-INF, -INF), (LEAST, 1.0)]),
        (
            "round",
            math::round,
            &[
                (-0.0, -0.0),
                (0.5, 1.0),
                (-2.5, -3.0),
                (0.499_999_97, 0.0),
                (8_388_609.0, 8_388_609.0),
                (INF, INF),
            ],
        ),
        ("round_ties_even", math::round_ties_even, &[(-0.0, -0.0), (0.5, 0.0), (2.5, 2.0), (-INF, -INF)]),
        ("fract", math::fract, &[(1.25, 0.25), (-1.25, -0.25), (INF, NAN)]),
    ];
    for (name, function, pairs) in rows {
        for &(x, expected) in *pairs {
            assert_same(name, x, function(x), expected);
        }
        assert_same(name, NAN, function(NAN), NAN);
    }
}

#[test]
fn powers_of_extremes_are_those_of_the_standard() {
    let rows = [
        (0.0, -1.0, INF),
        (-0.0, -1.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, 3.0, -0.0),
        (-0.0, 0.5, 0.0),
        (0.0, 0.0, 1.0),
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.5, INF, 0.0),
        (0.5, -INF, INF),
        (2.0, INF, INF),
        (2.0, -INF, 0.0),
        (INF, 0.5, INF),
        (INF, -0.5, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, -3.0, -0.0),
        (-INF, 0.5, INF),
        (-2.0, 0.5, NAN),
        (-2.0, 16_777_217.0, INF),
        (-2.0, -149.0, -LEAST),
        (LEAST, 1.0, LEAST),
        (LEAST, -1.0, INF),
        (f32::MIN_POSITIVE, f32::MAX, 0.0),
        (1.000_000_1, f32::MAX, INF),
        (2.0, 128.0, INF),
    ];
    for (x, y, expected) in rows {
        assert_same(&format!("powf of {y:e} and "), x, math::powf(x, y), expected);
    }
    for (x, n, expected) in [
        (0.0, -1, INF),
        (-0.0, -1, -INF),
        (NAN, 0, 1.0),
        (2.0, i32::MIN, 0.0),
        (-1.0, i32::MIN, 1.0),
        (-3.0, 3, -27.0),
    ] {
        assert_same(&format!("powi of {n} and "), x, math::powi(x, n), expected);
    }
}

#[test]
fn angles_and_lengths_of_extreme_points_are_those_of_the_standard() {
    use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    let rows = [
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, PI),
        (-0.0, -0.0, -PI),
        (0.0, -1.0, PI),
        (1.0, 0.0, FRAC_PI_2),
        (-1.0, -0.0, -FRAC_PI_2),
        (INF, INF, FRAC_PI_4),
        (INF, -INF, 3.0 * FRAC_PI_4),
        (-INF, 1.0, -FRAC_PI_2),
        (1.0, INF, 0.0),
        (-1.0, -INF, -PI),
        (NAN, 1.0, NAN),
        (INF, NAN, NAN),
        (LEAST, LEAST, FRAC_PI_4),
        (f32::MAX, -f32::MAX, 3.0 * FRAC_PI_4),
    ];
    for (y, x, expected) in rows {
        assert_same(&format!("atan2 of x = {x:e} and "), y, math::atan2(y, x), expected);
    }
    let rows = [
        (INF, NAN, INF),
        (NAN, -INF, INF),
        (NAN, 1.0, NAN),
        (3.0, -4.0, 5.0),
        (-0.0, -0.0, 0.0),
        (LEAST, 0.0, LEAST),
        (f32::MAX, 1.0, f32::MAX),
        (f32::MAX, f32::MAX, INF),
        (3e-42, 4e-42, 5e-42),
    ];
    for (x, y, expected) in rows {
        assert_same(&format!("hypot of {y:e} and "), x, math::hypot(x, y), expected);
    }
}

/// Every 4 million-th bit pattern, and with it all exponents.
fn spread() -> impl Iterator<Item = f32> + Clone {
    (0..1 << 10).map(|i: u32| f32::from_bits(i.wrapping_mul(4_194_301)))
}

#[test]
fn remainders_are_exact() {
    for x in spread() {
        for y in spread().chain([0.0, 1.0, -3.0, LEAST, INF]) {
            assert_same(&format!("rem by {y:e} of "), x, math::rem(x, y), x % y);
            assert_same(
                &format!("remainder by {y:e} of "),
                x,
                math::remainder(x, y),
                nearest_remainder(x, y),
            );
        }
    }
    for (x, y, expected) in [
        (5.0, 2.0, 1.0),
        (7.0, 2.0, -1.0),
        (-1.0, 2.0, -1.0),
        (-4.0, 2.0, -0.0),
        (2.0 * LEAST, 3.0 * LEAST, -LEAST),
    ] {
        assert_same(&format!("remainder by {y:e} of "), x, math::remainder(x, y), expected);
    }
}

/// The remainder of the nearest quotient, by the remainder to twice the divisor, which says whether the
/// quotient is odd. It is of `f64`, so that the double is a number.
fn nearest_remainder(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x.abs()), f64::from(y.abs()));
    let mut rest = if b.is_finite() { a % (2.0 * b) } else { a };
    if rest > b {
        rest -= b;
        rest -= if rest >= 0.5 * b { b } else { 0.0 };
    } else if rest > 0.5 * b {
        rest -= b;
    }
    let rest = if y == 0.0 || y.is_nan() { f64::NAN } else { rest };
    (if x.is_sign_negative() { -rest } else { rest }) as f32
}

#[test]
fn parts_of_numbers_put_together_again_are_the_numbers() {
    for x in spread() {
        let (fraction, exponent) = math::frexp(x);
        assert_same("ldexp of frexp", x, math::ldexp(fraction, exponent), x);
        let valid = (0.5..1.0).contains(&fraction.abs()) || x == 0.0 || !x.is_finite();
        assert!(valid, "frexp({x:e}) is {fraction:e}");
    }
    // Rounded once: to even, from just above the middle between zero and the least number, and far beyond.
    for (x, exponent, expected) in [
        (1.0, -150, 0.0),
        (1.000_000_1, -150, LEAST),
        (3.0, -150, 2.0 * LEAST),
        (1.0, i32::MIN, 0.0),
        (-1.0, i32::MAX, -INF),
    ] {
        assert_same(&format!("ldexp by {exponent} of "), x, math::ldexp(x, exponent), expected);
    }
}

/// The error in units in the last place of `f32` at the exact result.
fn units(result: f32, exact: f64) -> f64 {
    let exponent = (exact.abs().log2().floor() as i32).max(-126);
    (f64::from(result) - exact).abs() / f64::powi(2.0, exponent - 23)
}

#[test]
fn sines_are_exact_where_the_angle_is_nearly_a_multiple_of_a_quarter_turn() {
    // What is left of these has up to 30 zeros after the point: the worst of `f32`, and some between.
    for bits in [
        0x5b6d_8b2f,
        0x6115_cb11,
        0x53b1_46a6,
        0x3fc9_0fdb,
        0x4049_0fdb,
        0x47ae_dfb2,
        0x4a80_aa94,
        0x7f7f_ffff,
        0x7e80_0001,
        // Next to multiples of π/2, from either side.
        0x6f79_be45,
        0x7758_4625,
        0x6c55_da58,
        0x5431_46a6,
    ] {
        let x = f32::from_bits(bits);
        let (sin, cos) = f64::sin_cos(x.into());
        let tan = f64::tan(x.into());
        for (name, result, exact, bound) in [
            ("sin", math::sin(x), sin, 2.5),
            ("cos", math::cos(x), cos, 2.5),
            ("tan", math::tan(x), tan, 4.5),
        ] {
            let error = units(result, exact);
            assert!(error <= bound, "{name}({x:e}) is {exact:e}, not {result:e}: {error} units");
        }
    }
}

#[test]
fn quick_functions_keep_their_bounds() {
    for i in -4000..=4000 {
        let x = i as f32 * 0.02;
        let exact = f64::from(x).exp();
        let error = units(fast::exp(x), exact);
        assert!(error <= 2.0 + 1.2 * f64::from(x.abs()), "exp({x}) is off by {error} units");
        let angle = f64::from(x) / 80.0 * core::f64::consts::PI;
        let (sin, cos) = fast::sin_cos(angle as f32);
        let off = (f64::from(sin) - f64::from(angle as f32).sin())
            .abs()
            .max((f64::from(cos) - f64::from(angle as f32).cos()).abs());
        assert!(off < f64::powi(2.0, -20), "sin_cos({angle}) is off by {off:e}");
        let off = (f64::from(fast::tanh(x)) - f64::from(x).tanh()).abs();
        assert!(off < f64::powi(2.0, -21), "tanh({x}) is off by {off:e}");
        if x > 0.0 {
            let error = units(fast::log2(x), f64::from(x).log2());
            assert!(
                error <= 2.0 || (f64::from(fast::log2(x)) - f64::from(x).log2()).abs() < f64::powi(2.0, -22),
                "log2({x}): {error}"
            );
            assert!(units(fast::div(1.0, x), 1.0 / f64::from(x)) <= 2.5, "1 / {x}");
            assert!(units(fast::rsqrt(x), 1.0 / f64::from(x).sqrt()) <= 2.0, "1 / sqrt({x})");
        }
    }
}

#[test]
fn quick_inverse_roots_keep_their_bound_from_the_least_normal_number_to_the_greatest() {
    for bits in (f32::MIN_POSITIVE.to_bits()..=f32::MAX.to_bits()).step_by(9973).chain([f32::MAX.to_bits()]) {
        let x = f32::from_bits(bits);
        let error = units(fast::rsqrt(x), 1.0 / f64::from(x).sqrt());
        assert!(error <= 2.0, "1 / sqrt({x:e}) is off by {error} units");
    }
}

#[test]
fn euclidean_division_is_stds() {
    let numbers =
        [0.0, -0.0, 1.0, -1.0, 0.3, -7.5, 2.0, -2.0, 1e30, -1e-30, INF, -INF, NAN, LEAST, -LEAST, f32::MAX];
    for x in numbers {
        for y in numbers {
            assert_same("rem_euclid", x, math::rem_euclid(x, y), x.rem_euclid(y));
            assert_same("div_euclid", x, math::div_euclid(x, y), x.div_euclid(y));
            let (x, y) = (f64::from(x), f64::from(y));
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(
                same(math::rem_euclid(x, y), x.rem_euclid(y))
                    && same(math::div_euclid(x, y), x.div_euclid(y))
            );
        }
    }
}

#[test]
fn logarithms_to_any_base_are_within_five_units() {
    for i in 1..2000_i32 {
        for base in [1.5_f32, 3.0, 7.0, 100.0] {
            let x = i as f32 * 0.37;
            let exact = f64::from(x).ln() / f64::from(base).ln();
            let nearest = exact.abs() as f32;
            let unit = f64::from(nearest.next_up()) - f64::from(nearest);
            let found = f64::from(math::log(x, base));
            assert!((found - exact).abs() <= 5.0 * unit, "log({x}, {base}) is {exact}, not {found}");
        }
    }
}
