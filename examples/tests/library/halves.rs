//! `F16`, `Bf16` and pairs of them, against one rounding of the exact result.

use gridwright::numbers::{Bf16, Bf16x2, F16, F16x2};
use gridwright::prelude::*;

/// What a pair of words gives: six of the pairs, and the four operations and the roots of their lower halves.
const OF_WORDS: usize = 7;

macro_rules! kernels {
    ($conversions:ident $arithmetic:ident $quotients:ident: $float:ident $pair:ident) => {
        /// A number to 32 and 64 bits, its root; and a number of 32 bits in three ways, one of 64 bits, a pair.
        #[gpu_kernel(requires = x.len() == y.len() && wide.len() == y.len())]
        fn $conversions(t: Thread, x: &[$float], wide: &[f32], mut y: PerThread<[[u32; 8]]>) {
            let Some(y) = y.get_mut(t) else { return };
            let (x, wide) = (x[t.index()], wide[t.index()]);
            let pair = $pair::from_f32([wide, -wide]);
            let fine = x.to_f64().to_bits();
            // Behind a tie of this format by less than 32 bits show.
            let tie = f64::from(wide) * (1.0 + 1e-12);
            *y = [
                x.to_f32().to_bits(),
                (fine >> 32) as u32,
                x.sqrt().to_bits().into(),
                $float::from_f32(wide).to_bits().into(),
                $float::from_f32_towards_zero(wide).to_bits().into(),
                $float::from_f32_saturating(wide).to_bits().into(),
                $float::from_f64(tie).to_bits().into(),
                pair.to_bits(),
            ];
        }

        #[gpu_kernel(requires = x.len() == y.len())]
        fn $arithmetic(t: Thread, x: &[[$pair; 3]], mut y: PerThread<[[u32; OF_WORDS]]>) {
            let Some(y) = y.get_mut(t) else { return };
            let [a, b, c] = x[t.index()];
            let ([p, _], [q, _], [r, _]) = (a.to_array(), b.to_array(), c.to_array());
            let compared =
                u32::from(p < q) | u32::from(p <= q) << 1 | u32::from(p == q) << 2 | u32::from(p > q) << 3;
            let both = |low: $float, high: $float| $pair::new([low, high]).to_bits();
            *y = match t.index() % 2 {
                // Apart, so that no product is fused with a sum.
                0 => [
                    (a + b).to_bits(),
                    (a - b).to_bits(),
                    (a * b).to_bits(),
                    a.mul_add(b, c).to_bits(),
                    a.min(b).to_bits(),
                    a.max(b).to_bits(),
                    (-a).abs().to_bits(),
                ],
                _ => [
                    both(p + q, p - q),
                    both(p * q, q - p),
                    both(p.mul_add(q, r), -p),
                    both(p.min(q), p.max(q)),
                    compared,
                    u32::from(p.is_nan())
                        | u32::from(p.is_finite()) << 1
                        | u32::from(p.is_sign_negative()) << 2,
                    0,
                ],
            };
        }

        /// Of the lower halves.
        #[gpu_kernel(requires = x.len() == y.len())]
        fn $quotients(t: Thread, x: &[[$pair; 3]], mut y: PerThread<[u32]>) {
            let Some(y) = y.get_mut(t) else { return };
            let [[p, _], [q, _], _] = x[t.index()].map($pair::to_array);
            *y = (p / q).to_bits().into();
        }
    };
}

kernels!(f16_conversions f16_arithmetic f16_quotients: F16 F16x2);
kernels!(bf16_conversions bf16_arithmetic bf16_quotients: Bf16 Bf16x2);

#[cfg(all(test, not(gridwright_device)))]
mod tests {
    use super::*;

    /// A format by its definition: bits of precision with the hidden one, and the least exponent of numbers that have them all.
    #[derive(Clone, Copy)]
    struct Format {
        precision: i32,
        least: i32,
    }

    const IEEE: Format = Format { precision: 11, least: -14 };
    const BRAIN: Format = Format { precision: 8, least: -126 };

    impl Format {
        /// The number as a whole one and a power of 2; `None` for infinities and NaN.
        fn whole(self, bits: u16) -> Option<(i128, i32)> {
            let fraction_bits = self.precision - 1;
            let exponent = i32::from(bits & 0x7fff) >> fraction_bits;
            let fraction = i128::from(bits) & ((1 << fraction_bits) - 1);
            let most = (1 << (15 - fraction_bits)) - 1;
            let magnitude = if exponent == 0 { fraction } else { fraction | 1 << fraction_bits };
            let sign = if bits >> 15 == 1 { -1 } else { 1 };
            (exponent != most)
                .then_some((sign * magnitude, self.least - fraction_bits + (exponent - 1).max(0)))
        }

        fn value(self, bits: u16) -> f64 {
            let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
            match self.whole(bits) {
                Some((whole, power)) => (whole as f64).abs() * 2_f64.powi(power) * sign,
                None if bits << (17 - self.precision) == 0 => f64::INFINITY * sign,
                None => f64::NAN,
            }
        }

        fn max(self) -> f64 {
            (2.0 - 2_f64.powi(1 - self.precision)) * 2_f64.powi(1 - self.least)
        }

        /// Whether it is a NaN without the bit that makes it quiet.
        fn is_signalling(self, bits: u16) -> bool {
            self.value(bits).is_nan() && bits >> (self.precision - 2) & 1 == 0
        }

        /// The distance of neighbours there.
        fn unit(self, value: f64) -> f64 {
            let exponent = ((value.abs().to_bits() >> 52) as i32 - 1023).max(self.least);
            2_f64.powi(exponent - self.precision + 1)
        }

        /// To nearest and even.
        fn round(self, value: f64) -> f64 {
            let unit = self.unit(value);
            let rounded = (value / unit).round_ties_even() * unit;
            if value.is_finite() && rounded.abs() <= self.max() {
                rounded
            } else if value.is_nan() {
                value
            } else {
                f64::INFINITY.copysign(value)
            }
        }

        fn round_towards_zero(self, value: f64) -> f64 {
            if !value.is_finite() {
                return value;
            }
            let unit = self.unit(value);
            ((value / unit).trunc() * unit).abs().min(self.max()).copysign(value)
        }

        /// The exact `a * b + c`, rounded.
        fn mul_add(self, a: u16, b: u16, c: u16) -> f64 {
            let (Some(x), Some(y), Some(z)) = (self.whole(a), self.whole(b), self.whole(c)) else {
                return self.value(a) * self.value(b) + self.value(c);
            };
            let (mut high, mut low) = ((x.0 * y.0, x.1 + y.1), z);
            if high.1 < low.1 {
                (high, low) = (low, high);
            }
            if high.0 == 0 {
                high.1 = low.1;
            } else if high.1 - low.1 > 80 {
                // So far below that only its sign has a say.
                low = (low.0.signum(), high.1 - 80);
            }
            let sum = (high.0 << (high.1 - low.1)) + low.0;
            if sum == 0 {
                // Its sign is that of a sum of zeros.
                return self.value(a) * self.value(b) + self.value(c);
            }
            // To 52 bits, and one that says if there were more.
            let below = (128 - sum.unsigned_abs().leading_zeros() as i32 - 52).max(0);
            let kept = sum.abs() >> below;
            let rest = sum.abs() != kept << below;
            let value = (kept * 2 + i128::from(rest)) as f64 * 2_f64.powi(low.1 + below - 1);
            self.round(if sum < 0 { -value } else { value })
        }
    }

    /// The emulator of AMD's GPUs takes subnormal numbers of 32 bits for zeros, where hardware doesn't, and those of `bf16` are such. Of a
    /// number and a NaN its packed minimum may be the NaN. What it gives for these isn't looked at.
    fn is_emulated_amd(device: &Device) -> bool {
        device.name().contains("Emulated GPU gfx")
    }

    fn is_subnormal(value: f64) -> bool {
        value != 0.0 && value.abs() < f64::from(f32::MIN_POSITIVE)
    }

    /// Whether the bits are the same, but for NaN.
    fn same(found: f64, expected: f64) -> bool {
        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    }

    /// The least or greatest: of zeros either, and a NaN where one is a signalling one.
    fn same_choice(found: f64, expected: f64, is_signalling: bool) -> bool {
        found == expected || found.is_nan() && (expected.is_nan() || is_signalling)
    }

    fn random(state: &mut u64) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 32) as u32
    }

    /// Of 32 bits: around each tie and each edge of both formats, and random ones in between.
    fn wide_numbers(count: usize) -> Vec<f32> {
        let mut state = 7;
        let near = [0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x3001, 0x7fff, 0x8000, 0x8001, 0xffff];
        (0..count)
            .map(|i| {
                let upper = (i as u32).wrapping_mul(40_503) << 16;
                let lower = if i % 3 == 0 {
                    random(&mut state) >> 16
                } else {
                    near[random(&mut state) as usize % near.len()]
                };
                f32::from_bits(upper | lower)
            })
            .collect()
    }

    /// Each bit pattern once, of which the test of conversions needs all.
    const ALL: usize = 1 << 16;

    macro_rules! check_conversions {
        ($kernel:ident, $float:ident, $format:expr) => {{
            let (device, format) = (crate::device()?, $format);
            let x: Vec<_> = (0..=u16::MAX).map($float::from_bits).collect();
            let wide = wide_numbers(ALL);
            let mut results = vec![[0; 8]; ALL];
            $kernel::load(&device)?.run(
                &device,
                LaunchConfig::threads(ALL),
                (&x, &wide, InOut(&mut results)),
            )?;
            for ((x, wide), y) in x.into_iter().zip(wide).zip(results) {
                let (exact, given) = (format.value(x.to_bits()), f64::from(wide));
                if is_emulated_amd(&device) && (is_subnormal(exact) || is_subnormal(given)) {
                    continue;
                }
                let at = |word: u32| format.value(word as u16);
                let said = format!("{:04x}, {:08x} = {wide}: {y:08x?}", x.to_bits(), wide.to_bits());
                assert!(same(f32::from_bits(y[0]).into(), exact), "to_f32, {said}");
                assert!(exact.is_nan() || y[1] == (exact.to_bits() >> 32) as u32, "to_f64, {said}");
                assert!(same(at(y[2]), format.round(exact.sqrt())), "sqrt, {said}");
                assert!(same(at(y[3]), format.round(given)), "from_f32, {said}");
                assert!(same(at(y[4]), format.round_towards_zero(given)), "from_f32_towards_zero, {said}");
                assert!(
                    same(at(y[5]), format.round(given.clamp(-format.max(), format.max()))),
                    "from_f32_saturating, {said}"
                );
                assert!(same(at(y[6]), format.round(given * (1.0 + 1e-12))), "from_f64, {said}");
                assert!(same(at(y[7]), format.round(given)), "a pair's first, {said}");
                assert!(same(at(y[7] >> 16), format.round(-given)), "a pair's second, {said}");
            }
            Ok(())
        }};
    }

    #[test]
    fn each_f16_and_what_is_around_it_is_converted_with_one_rounding() -> Result<(), gridwright::Error> {
        check_conversions!(f16_conversions, F16, IEEE)
    }

    #[test]
    fn each_bf16_and_what_is_around_it_is_converted_with_one_rounding() -> Result<(), gridwright::Error> {
        check_conversions!(bf16_conversions, Bf16, BRAIN)
    }

    /// Three words of two numbers each: edges, random ones, and random ones whose products and third are about as large.
    fn words(format: Format) -> Vec<[u32; 3]> {
        let shift = format.precision - 1;
        let most = ((1 << (15 - shift)) - 1) << shift;
        let edges = [
            0,
            1,
            2,
            (1 << shift) - 1,
            1 << shift,
            most - 1,
            most,
            most + 1,
            0x7fff,
            0x3c00,
            0x3f80,
            0x3c01,
            0x3f81,
            0x0401,
        ];
        let mut state = 3;
        let mut words = Vec::new();
        for a in edges {
            for b in edges {
                for _ in 0..8 {
                    let signs = random(&mut state) & 0x8000_8000;
                    let others = [random(&mut state), random(&mut state), random(&mut state)];
                    let c = edges[random(&mut state) as usize % edges.len()];
                    words.push(
                        [a | others[0] << 16, b | others[1] << 16, c | others[2] << 16]
                            .map(|word| word ^ signs),
                    );
                }
            }
        }
        for _ in 0..8000 {
            words.push([random(&mut state), random(&mut state), random(&mut state)]);
        }
        // From 1/16 to 16, where sums cancel and products tie.
        let exponent = most >> shift >> 1;
        for _ in 0..8000 {
            words.push([0; 3].map(|_: u32| {
                let mut number = || {
                    let bits = random(&mut state);
                    let scale = exponent - 4 + (bits >> 16) % 8;
                    (bits & 0x8000) | scale << shift | (bits & ((1 << shift) - 1))
                };
                number() | number() << 16
            }));
        }
        words
    }

    macro_rules! check_arithmetic {
        ($kernel:ident, $pair:ident, $format:expr) => {{
            let (device, format) = (crate::device()?, $format);
            // Each twice, for both halves of the kernel.
            let words: Vec<_> = words(format).into_iter().flat_map(|words| [words; 2]).collect();
            let x: Vec<_> = words.iter().map(|words| words.map($pair::from_bits)).collect();
            let mut results = vec![[0; OF_WORDS]; x.len()];
            $kernel::load(&device)?.run(
                &device,
                LaunchConfig::threads(x.len()),
                (&x, InOut(&mut results)),
            )?;
            for (i, (words, y)) in words.iter().zip(results).enumerate() {
                let [a, b, c] = words.map(|word| [word as u16, (word >> 16) as u16]);
                let value = |bits: u16| format.value(bits);
                let inputs = [a, b, c].concat();
                let products = [0, 1].map(|half| value(a[half]) * value(b[half]));
                let fused = [0, 1].map(|half| format.mul_add(a[half], b[half], c[half]));
                let differences = [0, 1].map(|half| value(a[half]) - value(b[half]));
                let sums = [0, 1].map(|half| value(a[half]) + value(b[half]));
                let results = [products, fused, differences, sums].concat();
                if is_emulated_amd(&device)
                    && (inputs.iter().any(|&bits| is_subnormal(value(bits)))
                        || results.iter().any(|&value| is_subnormal(value)))
                {
                    continue;
                }
                let at = |word: u32, half: usize| value((word >> (16 * half)) as u16);
                let said = format!("{words:08x?}: {y:08x?}");
                let signals =
                    [0, 1].map(|half| [a[half], b[half]].into_iter().any(|bits| format.is_signalling(bits)));
                let least = |a: f64, b: f64| if a < b || b.is_nan() { a } else { b };
                let greatest = |a: f64, b: f64| if a > b || b.is_nan() { a } else { b };
                if i % 2 == 0 {
                    for half in 0..2 {
                        let (p, q) = (value(a[half]), value(b[half]));
                        assert!(same(at(y[0], half), format.round(p + q)), "{half}: a sum, {said}");
                        assert!(same(at(y[1], half), format.round(p - q)), "{half}: a difference, {said}");
                        assert!(same(at(y[2], half), format.round(p * q)), "{half}: a product, {said}");
                        let fused = format.mul_add(a[half], b[half], c[half]);
                        assert!(same(at(y[3], half), fused), "{half}: a fused sum, {said}");
                        assert!(same(at(y[6], half), p.abs()), "{half}: without a sign, {said}");
                        if is_emulated_amd(&device) && (p.is_nan() || q.is_nan()) {
                            continue;
                        }
                        assert!(
                            same_choice(at(y[4], half), least(p, q), signals[half]),
                            "{half}: the least, {said}"
                        );
                        assert!(
                            same_choice(at(y[5], half), greatest(p, q), signals[half]),
                            "{half}: the greatest, {said}"
                        );
                    }
                    continue;
                }
                let (p, q) = (value(a[0]), value(b[0]));
                assert!(same(at(y[0], 0), format.round(p + q)), "a sum, {said}");
                assert!(same(at(y[0], 1), format.round(p - q)), "a difference, {said}");
                assert!(same(at(y[1], 0), format.round(p * q)), "a product, {said}");
                assert!(same(at(y[1], 1), format.round(q - p)), "the other difference, {said}");
                assert!(same(at(y[2], 0), format.mul_add(a[0], b[0], c[0])), "a fused sum, {said}");
                assert!(same(at(y[2], 1), -p), "the other sign, {said}");
                assert!(same_choice(at(y[3], 0), least(p, q), signals[0]), "the least, {said}");
                assert!(same_choice(at(y[3], 1), greatest(p, q), signals[0]), "the greatest, {said}");
                let compared = u32::from(p < q)
                    | u32::from(p <= q) << 1
                    | u32::from(p == q) << 2
                    | u32::from(p > q) << 3;
                assert_eq!(y[4], compared, "comparisons, {said}");
                let kind = u32::from(p.is_nan()) | u32::from(p.is_finite()) << 1 | u32::from(a[0] >> 15) << 2;
                assert_eq!(y[5], kind, "what it is, {said}");
            }
            Ok(())
        }};
    }

    macro_rules! check_quotients {
        ($kernel:ident, $pair:ident, $format:expr) => {{
            let (device, format) = (crate::device()?, $format);
            let words = words(format);
            let x: Vec<_> = words.iter().map(|words| words.map($pair::from_bits)).collect();
            let mut results = vec![0; x.len()];
            $kernel::load(&device)?.run(
                &device,
                LaunchConfig::threads(x.len()),
                (&x, InOut(&mut results)),
            )?;
            for ([a, b, _], y) in words.into_iter().zip(results) {
                let (p, q, found) = (format.value(a as u16), format.value(b as u16), format.value(y as u16));
                // Nor does it scale quotients of what is near the range's ends, as `v_div_fmas_f32` does.
                let near_the_ends =
                    |x: f64| x != 0.0 && !(2_f64.powi(-90)..2_f64.powi(90)).contains(&x.abs());
                if is_emulated_amd(&device) && [p, q, p / q].into_iter().any(near_the_ends) {
                    continue;
                }
                assert!(same(found, format.round(p / q)), "{p} / {q} is {found}");
            }
            Ok(())
        }};
    }

    #[test]
    fn each_quotient_of_f16_rounds_once() -> Result<(), gridwright::Error> {
        if crate::device()?.name().contains("Emulated GPU gfx") {
            eprintln!("SKIPPED: the emulator of AMD's GPUs doesn't know `v_div_fixup_f16`");
            return Ok(());
        }
        check_quotients!(f16_quotients, F16x2, IEEE)
    }

    #[test]
    fn each_quotient_of_bf16_rounds_once() -> Result<(), gridwright::Error> {
        check_quotients!(bf16_quotients, Bf16x2, BRAIN)
    }

    #[test]
    fn each_operation_of_f16_rounds_once() -> Result<(), gridwright::Error> {
        check_arithmetic!(f16_arithmetic, F16x2, IEEE)
    }

    #[test]
    fn each_operation_of_bf16_rounds_once() -> Result<(), gridwright::Error> {
        check_arithmetic!(bf16_arithmetic, Bf16x2, BRAIN)
    }
}
