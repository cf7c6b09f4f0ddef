//! Triples of numbers to try.

use crate::operand::Operand;

/// A number with inputs.
pub(crate) trait Inputs: Operand {
    /// How it comes to a kernel.
    fn raw(self) -> Self::Raw;

    /// Where things change.
    fn special() -> Vec<Self>;

    /// A number of a random magnitude.
    fn random(random: &mut Random) -> Self;

    /// Special values crossed with each other, up to three quarters of all; then random ones, of which one in four is special or the
    /// number before it.
    fn triples(count: usize) -> Vec<[Self; 3]> {
        let special = Self::special();
        let random = &mut Random(0x9e37_79b9_7f4a_7c15);
        let pairs = special.len() * special.len();
        // A step that has no divisor in common with their number reaches all, in an order in which the first ones are spread.
        let step =
            (pairs * 5 / 8..).find(|step| gcd(*step, pairs) == 1).expect("a number without common divisors");
        let mut triples: Vec<[Self; 3]> = (0..pairs.min(count * 3 / 4))
            .map(|number| {
                let at = number * step % pairs;
                let third = special[random.next() as usize % special.len()];
                [special[at / special.len()], special[at % special.len()], third]
            })
            .collect();
        while triples.len() < count {
            let mut last = Self::random(random);
            triples.push(std::array::from_fn(|_| {
                last = match random.next() % 8 {
                    0 => special[random.next() as usize % special.len()],
                    1 => last,
                    _ => Self::random(random),
                };
                last
            }));
        }
        triples
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Numbers without a pattern.
pub(crate) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

/// Numbers around the edges of all widths, cut to each type's.
fn edges() -> Vec<u128> {
    let mut edges: Vec<u128> =
        vec![2, 3, 5, 7, 10, 13, 100, 1000, 255_255, 0xff_fffe, 0x0101_0101, 1_000_000_007];
    for bit in [0, 7, 8, 15, 16, 23, 24, 31, 32, 52, 63, 64, 96, 127] {
        let one = 1_u128 << bit;
        edges.extend([one - 1, one, one + 1, !one, one.wrapping_neg()]);
    }
    edges.extend([u128::MAX / 3, u128::MAX / 5, u128::MAX / 255, 0x8080_8080_8080_8080_8080_8080_8080_8080]);
    edges
}

macro_rules! integers {
    ($($number:ty)*) => {$(
        impl Inputs for $number {
            fn raw(self) -> Self {
                self
            }

            fn special() -> Vec<Self> {
                special(|edge| edge as Self)
            }

            fn random(random: &mut Random) -> Self {
                of_any_length(random, Self::BITS, |bits| bits as Self)
            }
        }
    )*};
}

macro_rules! wide {
    ($($number:ty)*) => {$(
        impl Inputs for $number {
            fn raw(self) -> [u64; 2] {
                [self as u64, (self >> 64) as u64]
            }

            fn special() -> Vec<Self> {
                special(|edge| edge as Self)
            }

            fn random(random: &mut Random) -> Self {
                of_any_length(random, Self::BITS, |bits| bits as Self)
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }
wide! { u128 i128 }

fn special<T: Ord + Copy>(cut: fn(u128) -> T) -> Vec<T> {
    let mut special: Vec<T> = edges().into_iter().map(cut).collect();
    special.sort_unstable();
    special.dedup();
    special
}

/// As many bits as it happens, of either sign.
fn of_any_length<T>(random: &mut Random, bits: u32, cut: fn(u128) -> T) -> T {
    let length = 1 + random.next() as u32 % bits;
    let value = random.wide() >> (128 - length);
    cut(if random.next().is_multiple_of(4) { value.wrapping_neg() } else { value })
}

macro_rules! floats {
    ($number:ident, $bits:ty, $mantissa:literal, $exponents:literal) => {
        impl Inputs for $number {
            fn raw(self) -> Self {
                self
            }

            fn special() -> Vec<Self> {
                let mut special: Vec<$number> =
                    vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.0, 0.1, 0.3, 360.0, 1e9];
                special.extend([
                    $number::MAX,
                    $number::MIN_POSITIVE,
                    $number::EPSILON,
                    $number::INFINITY,
                    $number::NAN,
                ]);
                special.extend([
                    $number::from_bits(1),
                    $number::MIN_POSITIVE.next_down(),
                    (1.0 as $number).next_down(),
                ]);
                // A NaN that signals.
                special.push($number::from_bits($number::INFINITY.to_bits() + 1));
                for bit in [7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64] {
                    let power = (1_u128 << bit) as $number;
                    special.extend([power.next_down(), power, power - 0.5]);
                }
                let negative: Vec<$number> = special.iter().map(|value| -value).collect();
                special.extend(negative);
                special
            }

            fn random(random: &mut Random) -> Self {
                let bits = random.next() as $bits;
                let mantissa = bits & ((1 << $mantissa) - 1);
                let sign = bits & 1 << (<$bits>::BITS - 1);
                match random.next() % 4 {
                    // Any.
                    0 => $number::from_bits(bits),
                    // Numbers that integers of some width hold.
                    1 => {
                        let exponent = $exponents + (random.next() % 66) as $bits;
                        $number::from_bits(sign | exponent << $mantissa | mantissa)
                    }
                    // Around one.
                    2 => {
                        let exponent = $exponents - 4 + (random.next() % 8) as $bits;
                        $number::from_bits(sign | exponent << $mantissa | mantissa)
                    }
                    // Halves of integers.
                    _ => (random.next() as i16) as $number / 2.0,
                }
            }
        }
    };
}

floats! { f32, u32, 23, 126 }
floats! { f64, u64, 52, 1022 }
