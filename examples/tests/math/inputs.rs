//! What functions are asked for: numbers of every size, what is special, and more of where a function is interesting.

use std::ops::RangeInclusive;

/// A float whose numbers can be listed.
pub(crate) trait Inputs: Copy {
    /// Every number of the type if there are few enough of them.
    const ALL: Option<u64>;

    /// The number of these bits.
    fn of_bits(bits: u64) -> Self;

    /// One that isn't a number, infinities, zeros, the smallest and the largest numbers, powers of two, each with its neighbours,
    /// and those nearest to multiples of π/2, in both signs.
    fn special() -> Vec<Self>;

    /// The few that formulas make exceptions of, in both signs.
    fn extreme() -> Vec<Self>;

    /// A number of each exponent and sign in turn, though not in their order; the fraction at random.
    fn of_stratum(stratum: u64, random: u64) -> Self;

    /// A number of a range; `part` is from 0 to 1.
    fn within(range: &RangeInclusive<f64>, part: f64) -> Self;

    /// Whether the number is in a range.
    fn is_in(self, range: &RangeInclusive<f64>) -> bool;
}

macro_rules! inputs {
    ($float:ty, $bits:ty, $fraction:literal, $exponents:literal, $all:expr, $turns:expr) => {
        impl Inputs for $float {
            const ALL: Option<u64> = $all;

            fn of_bits(bits: u64) -> Self {
                <$float>::from_bits(bits as $bits)
            }

            fn special() -> Vec<Self> {
                let exponents = (0..$exponents as $bits).step_by(1 + $exponents / 64);
                let near_one = ($exponents / 2 - 4..$exponents / 2 + 24).map(|exponent| exponent as $bits);
                let mut found: Vec<_> = [0, 1, 2, 1 << ($fraction - 1)].to_vec();
                for power in
                    exponents.chain(near_one).chain([1, $exponents]).map(|exponent| exponent << $fraction)
                {
                    found.extend([power, power.saturating_sub(1), power + 1]);
                }
                // Halves and the integers of factorials are where results change their sign or their formula.
                let numbers = (1..70).map(|n| (0.5 * n as $float).to_bits());
                let turns = $turns.map(<$float>::to_bits);
                let sign = 1 << (<$bits>::BITS - 1);
                found
                    .into_iter()
                    .chain(numbers)
                    .chain(turns)
                    .flat_map(|bits| [bits, bits | sign])
                    .map(<$float>::from_bits)
                    .collect()
            }

            fn extreme() -> Vec<Self> {
                let least = <$float>::from_bits(1);
                let found = [0.0, least, <$float>::MIN_POSITIVE, 0.5, 1.0, 2.0, 2.5, 3.0, <$float>::MAX];
                let found = found.into_iter().chain([<$float>::INFINITY, <$float>::NAN]);
                found.flat_map(|x| [x, -x]).collect()
            }

            fn of_stratum(stratum: u64, random: u64) -> Self {
                // A prime that doesn't divide the number of strata.
                let stratum = stratum % (2 * $exponents) * 1009 % (2 * $exponents);
                let exponent = (stratum / 2 % $exponents) as $bits;
                let sign = (stratum % 2) as $bits;
                let fraction = random as $bits & ((1 << $fraction) - 1);
                <$float>::from_bits(sign << (<$bits>::BITS - 1) | exponent << $fraction | fraction)
            }

            fn within(range: &RangeInclusive<f64>, part: f64) -> Self {
                (range.start() + part * (range.end() - range.start())) as $float
            }

            fn is_in(self, range: &RangeInclusive<f64>) -> bool {
                range.contains(&f64::from(self))
            }
        }
    };
}

// Those of 32 bits nearest to odd and even multiples of π/2, beyond them and before them, by a search through all.
inputs!(
    f32,
    u32,
    23,
    255,
    Some(1 << 32),
    [
        7.729_179e28_f32,
        1.545_835_8e29,
        2.199_938_5e10,
        252.898_21,
        4.386_558e33,
        1.034_129_2e27,
        3.045_578e12
    ]
);
// Source: Muller, "Elementary Functions": 6381956970095103 times 2^797.
inputs!(f64, u64, 52, 2047, None, [5.319_372_648_326_541e255_f64]);

/// Random numbers that are the same in each run. Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
/// 2014 (SplitMix).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 2_f64.powi(53)
    }
}

/// About `n` arguments: the special ones, and then of each exponent and sign equally many, in turn with as many of the range.
pub(crate) fn one<T: Inputs>(n: usize, range: &RangeInclusive<f64>) -> Vec<T> {
    let mut random = Random::new(n as u64);
    let mut found = T::special();
    let drawn = (0..n.saturating_sub(found.len()) as u64).map(|i| {
        if i % 2 == 0 { T::within(range, random.part()) } else { T::of_stratum(i / 2, random.bits()) }
    });
    found.extend(drawn);
    found
}

/// `n` pairs and each pair of extreme numbers: a quarter of special ones, a quarter of any size, the rest of the ranges.
pub(crate) fn two<T: Inputs>(n: usize, ranges: &[RangeInclusive<f64>; 2]) -> [Vec<T>; 2] {
    let mut random = Random::new(n as u64);
    let (extreme, special) = (T::extreme(), T::special());
    let mut found = [Vec::new(), Vec::new()];
    let mut add = |a, b| {
        found[0].push(a);
        found[1].push(b);
    };
    for &a in &extreme {
        for &b in &extreme {
            add(a, b);
        }
    }
    for i in 0..n {
        let bits = [random.bits(), random.bits()];
        match i % 4 {
            0 => {
                let [a, b] = bits.map(|bits| special[(bits % special.len() as u64) as usize]);
                add(a, b);
            }
            1 => {
                let [a, b] = bits.map(|bits| T::of_stratum(bits >> 8, random.bits()));
                add(a, b);
            }
            _ => add(T::within(&ranges[0], random.part()), T::within(&ranges[1], random.part())),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Inputs, one, two};

    #[test]
    fn every_kind_of_number_and_each_exponent_is_among_them() {
        let found: Vec<f32> = one(4096, &(0.0..=1.0));
        assert_eq!(found.len(), 4096);
        let has = |is: fn(&f32) -> bool| assert!(found.iter().any(is));
        has(|x| x.is_nan());
        has(|x| *x == f32::INFINITY);
        has(|x| *x == f32::NEG_INFINITY);
        has(|x| x.to_bits() == 0);
        has(|x| x.to_bits() == 1 << 31);
        has(|x| x.to_bits() == 1);
        has(|x| *x == f32::MAX);
        has(|x| *x == f32::MIN_POSITIVE);
        has(|x| *x == 1.0 - f32::EPSILON / 2.0);
        has(|x| *x == -3.5);
        for exponent in 0..255 {
            for sign in [0, 1] {
                assert!(found.iter().any(|x| x.to_bits() >> 23 == exponent | sign << 8), "{exponent} {sign}");
            }
        }
    }

    #[test]
    fn exponents_of_64_bits_are_all_reached_by_enough_numbers() {
        let found: Vec<f64> = one(1 << 14, &(0.0..=1.0));
        for exponent in 0..2047 {
            assert!(found.iter().any(|x| x.to_bits() >> 52 & 0x7ff == exponent), "{exponent}");
        }
    }

    #[test]
    fn pairs_are_of_special_numbers_too() {
        let [a, b] = two::<f64>(1 << 12, &[-1.0..=1.0, 0.0..=9.0]);
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(&b).any(|(a, b)| a.is_infinite() && b.is_nan()));
        assert!(a.iter().zip(&b).any(|(a, b)| *a == 0.0 && b.is_infinite()));
        assert!(a.iter().zip(&b).any(|(a, b)| a.abs() < 1.0 && *b > 1.0 && *b < 9.0));
    }

    #[test]
    fn all_numbers_are_those_of_their_bits() {
        assert_eq!(<f32 as Inputs>::ALL, Some(1 << 32));
        assert_eq!(f32::of_bits(0x3f80_0000), 1.0);
    }
}
