//! `gridwright::int`, against the plainest code for each.

use gridwright::int::{self, I8x4, I16x2, U8x4, U16x2};
use gridwright::prelude::*;

/// Three words, which are cut and taken as signed as it's needed.
type Words = [u32; 3];

const OF_WORDS: usize = 29;

#[gpu_kernel(requires = x.len() == y.len())]
fn words(t: Thread, x: &[Words], mut y: PerThread<[[u32; OF_WORDS]]>) {
    let Some(y) = y.get_mut(t) else { return };
    let [a, b, c] = x[t.index()];
    let (i, j) = (a as i32, b as i32);
    let (wide, other) = (u64::from(a) << 32 | u64::from(b), u64::from(b) << 32 | u64::from(c));
    let high = int::mul_hi(wide, other);
    let signed_high = int::mul_hi(wide as i64, other as i64) as u64;
    let field = int::bit_field(wide as i64, c & 0x7f, c >> 8 & 0x7f) as u64;
    let filled = int::with_bit_field(wide, other, c >> 4 & 0x7f, c >> 16 & 0x7f);
    *y = [
        a.count_ones() | a.leading_zeros() << 8 | int::trailing_zeros(a) << 16 | int::find_first_set(a) << 24,
        wide.count_ones()
            | wide.leading_zeros() << 8
            | int::trailing_zeros(wide) << 16
            | int::find_first_set(other) << 24,
        a.reverse_bits(),
        a.rotate_left(c),
        int::byte_permute(a, b, c),
        int::byte_permute(a, b, 0x5410),
        int::funnel_shift_left(a, b, c),
        int::funnel_shift_right(a, b, c),
        int::funnel_shift_left_clamped(a, b, c & 0x3f),
        int::funnel_shift_right_clamped(a, b, c & 0x3f),
        int::mul_hi(a, b),
        int::mul_hi(i, j) as u32,
        high as u32,
        (high >> 32) as u32,
        signed_high as u32,
        (signed_high >> 32) as u32,
        int::sum_abs_diff(a, b, c),
        int::sum_abs_diff(i, j, c),
        int::average_floor(a, b),
        int::average_ceil(a, b),
        int::average_floor(i, j) as u32,
        int::average_ceil(i, j) as u32,
        int::bit_field(a, c & 0x3f, c >> 8 & 0x3f),
        int::bit_field(i, c & 0x3f, c >> 8 & 0x3f) as u32,
        field as u32,
        (field >> 32) as u32,
        int::with_bit_field(a, b, c & 0x3f, c >> 8 & 0x3f),
        filled as u32,
        a.saturating_add(b),
    ];
}

/// The expected words, by the definitions, in numbers wide enough for all of it.
#[host_only]
fn expected_words([a, b, c]: Words) -> [u32; OF_WORDS] {
    let (i, j) = (i128::from(a as i32), i128::from(b as i32));
    let (wide, other) = (u64::from(a) << 32 | u64::from(b), u64::from(b) << 32 | u64::from(c));
    let first = |value: u64, bits: u32| (0..bits).find(|bit| value >> bit & 1 == 1);
    let counts = |value: u64, bits: u32, found: Option<u32>| {
        let ones = (0..bits).filter(|bit| value >> bit & 1 == 1).count() as u32;
        let leading = (0..bits).take_while(|bit| value >> (bits - 1 - bit) & 1 == 0).count() as u32;
        let trailing = (0..bits).take_while(|bit| value >> bit & 1 == 0).count() as u32;
        ones | leading << 8 | trailing << 16 | found.map_or(0, |bit| bit + 1) << 24
    };
    let bytes = [a.to_le_bytes(), b.to_le_bytes()].concat();
    let permuted =
        |selector: u32| u32::from_le_bytes([0, 4, 8, 12].map(|at| bytes[(selector >> at & 7) as usize]));
    let pair = u128::from(wide);
    let high = (u128::from(wide) * u128::from(other)) >> 64;
    let signed_high = (i128::from(wide as i64) * i128::from(other as i64)) >> 64;
    // Bit by bit; beyond the value is what continues it.
    let field = |value: i128, bits: u32, start: u32, len: u32, signed: bool| -> u128 {
        let bit = |at: u32| (value >> at.min(if signed { bits - 1 } else { 127 })) & 1;
        (0..bits).fold(0, |sum, at| {
            let inside = at < len;
            let taken = if len == 0 {
                0
            } else if inside {
                bit(start + at)
            } else if signed {
                bit((start + len - 1).min(bits - 1))
            } else {
                0
            };
            sum | (taken as u128) << at
        })
    };
    let filled = |value: u128, field: u128, bits: u32, start: u32, len: u32| -> u128 {
        (0..bits).fold(0, |sum, at| {
            let from = if at >= start && at < start + len { field >> (at - start) } else { value >> at };
            sum | (from & 1) << at
        })
    };
    let signed_field = field(i128::from(wide as i64), 64, c & 0x7f, c >> 8 & 0x7f, true);
    let filled_wide = filled(wide.into(), other.into(), 64, c >> 4 & 0x7f, c >> 16 & 0x7f);
    let (start, len) = (c & 0x3f, c >> 8 & 0x3f);
    [
        counts(a.into(), 32, first(a.into(), 32)),
        counts(wide, 64, first(other, 64)),
        (0..32).fold(0, |sum, bit| sum | (a >> bit & 1) << (31 - bit)),
        (0..32).fold(0, |sum, bit| sum | (a >> bit & 1) << ((bit + c % 32) % 32)),
        permuted(c),
        permuted(0x5410),
        (pair << (c % 32) >> 32) as u32,
        (pair >> (c % 32)) as u32,
        (pair << (c & 0x3f).min(32) >> 32) as u32,
        (pair >> (c & 0x3f).min(32)) as u32,
        ((u64::from(a) * u64::from(b)) >> 32) as u32,
        ((i * j) >> 32) as u32,
        high as u32,
        (high >> 32) as u32,
        signed_high as u32,
        (signed_high >> 32) as u32,
        (u128::from(a).abs_diff(b.into()) + u128::from(c)) as u32,
        (i.abs_diff(j) + u128::from(c)) as u32,
        ((u64::from(a) + u64::from(b)) / 2) as u32,
        (u64::from(a) + u64::from(b)).div_ceil(2) as u32,
        (i + j).div_euclid(2) as u32,
        (i + j + 1).div_euclid(2) as u32,
        field(a.into(), 32, start, len, false) as u32,
        field(i, 32, start, len, true) as u32,
        signed_field as u32,
        (signed_field >> 32) as u32,
        filled(a.into(), b.into(), 32, start, len) as u32,
        filled_wide as u32,
        (u64::from(a) + u64::from(b)).min(u32::MAX.into()) as u32,
    ]
}

const OF_LANES: usize = 20;

macro_rules! lanes {
    ($kernel:ident, $expected:ident: $signed:ident $unsigned:ident [$i:ident $u:ident; $n:literal]) => {
        /// What lanes with and without signs have in common, for each: 20 results.
        #[gpu_kernel(requires = x.len() == y.len())]
        fn $kernel(t: Thread, x: &[Words], mut y: PerThread<[[[u32; OF_LANES]; 2]]>) {
            let Some(y) = y.get_mut(t) else { return };
            let [a, b, c] = x[t.index()];
            let (i, j) = ($signed::from_bits(a), $signed::from_bits(b));
            let (u, v) = ($unsigned::from_bits(a), $unsigned::from_bits(b));
            *y = [
                [
                    u.wrapping_add(v).to_bits(),
                    u.wrapping_sub(v).to_bits(),
                    u.saturating_add(v).to_bits(),
                    u.saturating_sub(v).to_bits(),
                    u.average_floor(v).to_bits(),
                    u.average_ceil(v).to_bits(),
                    u.abs_diff(v).to_bits(),
                    u.sum_abs_diff(v, c),
                    u.min(v).to_bits(),
                    u.max(v).to_bits(),
                    u.lanes_eq(v).to_bits(),
                    u.lanes_ne(v).to_bits(),
                    u.lanes_lt(v).to_bits(),
                    u.lanes_le(v).to_bits(),
                    u.lanes_gt(v).to_bits(),
                    u.lanes_ge(v).to_bits(),
                    u.lanes_lt(v).select(u, $unsigned::from_bits(c)).to_bits(),
                    u.to_array()[1].into(),
                    0,
                    0,
                ],
                [
                    i.wrapping_add(j).to_bits(),
                    i.wrapping_sub(j).to_bits(),
                    i.saturating_add(j).to_bits(),
                    i.saturating_sub(j).to_bits(),
                    i.average_floor(j).to_bits(),
                    i.average_ceil(j).to_bits(),
                    i.abs_diff(j).to_bits(),
                    i.sum_abs_diff(j, c),
                    i.min(j).to_bits(),
                    i.max(j).to_bits(),
                    i.lanes_eq(j).to_bits(),
                    i.lanes_ne(j).to_bits(),
                    i.lanes_lt(j).to_bits(),
                    i.lanes_le(j).to_bits(),
                    i.lanes_gt(j).to_bits(),
                    i.lanes_ge(j).to_bits(),
                    i.wrapping_neg().to_bits(),
                    i.saturating_neg().to_bits(),
                    i.wrapping_abs().to_bits(),
                    i.saturating_abs().to_bits(),
                ],
            ];
        }

        #[host_only]
        fn $expected([a, b, c]: Words) -> [[u32; OF_LANES]; 2] {
            let lane = |word: u32, at: usize| (word >> (at as u32 * $u::BITS)) as $u;
            let unsigned = |f: &dyn Fn(i32, i32) -> i32| {
                (0..$n).fold(0, |word, at| {
                    let value = f(lane(a, at).into(), lane(b, at).into()) as $u;
                    word | u32::from(value) << (at as u32 * $u::BITS)
                })
            };
            let signed = |f: &dyn Fn(i32, i32) -> i32| {
                (0..$n).fold(0, |word, at| {
                    let value = f((lane(a, at) as $i).into(), (lane(b, at) as $i).into()) as $u;
                    word | u32::from(value) << (at as u32 * $u::BITS)
                })
            };
            let sum = |signed: bool| {
                (0..$n).fold(c, |sum, at| {
                    let (a, b) = (lane(a, at), lane(b, at));
                    let distance = if signed { (a as $i).abs_diff(b as $i) } else { a.abs_diff(b) };
                    sum.wrapping_add(distance.into())
                })
            };
            let (most, low, high) = (i32::from($u::MAX), i32::from($i::MIN), i32::from($i::MAX));
            [
                [
                    unsigned(&|a, b| a + b),
                    unsigned(&|a, b| a - b),
                    unsigned(&|a, b| (a + b).min(most)),
                    unsigned(&|a, b| (a - b).max(0)),
                    unsigned(&|a, b| (a + b) / 2),
                    unsigned(&|a, b| (a + b + 1) / 2),
                    unsigned(&|a, b| (a - b).abs()),
                    sum(false),
                    unsigned(&|a, b| a.min(b)),
                    unsigned(&|a, b| a.max(b)),
                    unsigned(&|a, b| -i32::from(a == b)),
                    unsigned(&|a, b| -i32::from(a != b)),
                    unsigned(&|a, b| -i32::from(a < b)),
                    unsigned(&|a, b| -i32::from(a <= b)),
                    unsigned(&|a, b| -i32::from(a > b)),
                    unsigned(&|a, b| -i32::from(a >= b)),
                    (0..$n).fold(0, |word, at| {
                        let from = if lane(a, at) < lane(b, at) { a } else { c };
                        word | u32::from(lane(from, at)) << (at as u32 * $u::BITS)
                    }),
                    lane(a, 1).into(),
                    0,
                    0,
                ],
                [
                    signed(&|a, b| a + b),
                    signed(&|a, b| a - b),
                    signed(&|a, b| (a + b).clamp(low, high)),
                    signed(&|a, b| (a - b).clamp(low, high)),
                    signed(&|a, b| (a + b).div_euclid(2)),
                    signed(&|a, b| (a + b + 1).div_euclid(2)),
                    signed(&|a, b| (a - b).abs()),
                    sum(true),
                    signed(&|a, b| a.min(b)),
                    signed(&|a, b| a.max(b)),
                    signed(&|a, b| -i32::from(a == b)),
                    signed(&|a, b| -i32::from(a != b)),
                    signed(&|a, b| -i32::from(a < b)),
                    signed(&|a, b| -i32::from(a <= b)),
                    signed(&|a, b| -i32::from(a > b)),
                    signed(&|a, b| -i32::from(a >= b)),
                    signed(&|a, _| -a),
                    signed(&|a, _| (-a).min(high)),
                    signed(&|a, _| a.abs()),
                    signed(&|a, _| a.abs().min(high)),
                ],
            ]
        }
    };
}

lanes!(bytes, expected_bytes: I8x4 U8x4 [i8 u8; 4]);
lanes!(halves, expected_halves: I16x2 U16x2 [i16 u16; 2]);

const OF_DOTS: usize = 11;

#[gpu_kernel(requires = x.len() == y.len())]
fn dots(t: Thread, x: &[Words], mut y: PerThread<[[u32; OF_DOTS]]>) {
    let Some(y) = y.get_mut(t) else { return };
    let [a, b, c] = x[t.index()];
    let (u, v, i, j) = (U8x4::from_bits(a), U8x4::from_bits(b), I8x4::from_bits(a), I8x4::from_bits(b));
    let (unsigned, signed) = (U16x2::from_bits(a), I16x2::from_bits(a));
    let s = c as i32;
    *y = [
        u.dot(v, c),
        i.dot(j, s) as u32,
        u.dot_signed(j, s) as u32,
        unsigned.dot_low(v, c),
        unsigned.dot_high(v, c),
        signed.dot_low(j, s) as u32,
        signed.dot_high(j, s) as u32,
        unsigned.dot_low_signed(j, s) as u32,
        unsigned.dot_high_signed(j, s) as u32,
        signed.dot_low_unsigned(v, s) as u32,
        signed.dot_high_unsigned(v, s) as u32,
    ];
}

#[host_only]
fn expected_dots([a, b, c]: Words) -> [u32; OF_DOTS] {
    let byte = |word: u32, at: usize| i64::from(word.to_le_bytes()[at]);
    let signed_byte = |word: u32, at: usize| i64::from(word.to_le_bytes()[at] as i8);
    let half = |word: u32, at: usize| i64::from((word >> (16 * at)) as u16);
    let signed_half = |word: u32, at: usize| i64::from((word >> (16 * at)) as i16);
    let four = |f: &dyn Fn(u32, usize) -> i64, g: &dyn Fn(u32, usize) -> i64| {
        (0..4).fold(i64::from(c), |sum, at| sum + f(a, at) * g(b, at)) as u32
    };
    let two = |f: &dyn Fn(u32, usize) -> i64, g: &dyn Fn(u32, usize) -> i64, from: usize| {
        (0..2).fold(i64::from(c), |sum, at| sum + f(a, at) * g(b, from + at)) as u32
    };
    [
        four(&byte, &byte),
        four(&signed_byte, &signed_byte),
        four(&byte, &signed_byte),
        two(&half, &byte, 0),
        two(&half, &byte, 2),
        two(&signed_half, &signed_byte, 0),
        two(&signed_half, &signed_byte, 2),
        two(&half, &signed_byte, 0),
        two(&half, &signed_byte, 2),
        two(&signed_half, &byte, 0),
        two(&signed_half, &byte, 2),
    ]
}

#[cfg(all(test, not(gridwright_device)))]
mod tests {
    use super::*;

    /// Each three of what is at the edges of bytes, halves and words, and as many random ones.
    fn inputs() -> Vec<Words> {
        let edges = &[
            0,
            1,
            0x7f,
            0x80,
            0xff,
            0x7fff,
            0x8000,
            0xffff,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x8080_8080,
            0x7f7f_7f7f,
            0x0101_0101,
            0x8000_8000,
            0x7fff_7fff,
            0x0000_2000,
            0x0000_2020,
            0x0000_201f,
        ];
        let mut inputs: Vec<Words> = edges
            .iter()
            .flat_map(|&a| edges.iter().flat_map(move |&b| edges.iter().map(move |&c| [a, b, c])))
            .collect();
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        inputs.extend((0..7000).map(|_| [next(), next(), next()]));
        inputs
    }

    /// Runs a kernel over all inputs and compares each result with what the definition says.
    macro_rules! compare {
        ($kernel:ident, $expected:ident, $zero:expr) => {{
            let device = crate::device()?;
            let inputs = inputs();
            let mut results = vec![$zero; inputs.len()];
            let config = LaunchConfig::threads(inputs.len());
            $kernel::load(&device)?.run(&device, config, (&inputs, InOut(&mut results)))?;
            for (input, result) in inputs.iter().zip(results) {
                assert_eq!(result, $expected(*input), "{:08x?}", input);
            }
            Ok(())
        }};
    }

    #[test]
    fn whole_words_do_what_their_definitions_say() -> Result<(), gridwright::Error> {
        compare!(words, expected_words, [0; OF_WORDS])
    }

    #[test]
    fn lanes_of_bytes_do_what_single_bytes_do() -> Result<(), gridwright::Error> {
        compare!(bytes, expected_bytes, [[0; OF_LANES]; 2])
    }

    #[test]
    fn lanes_of_halves_do_what_single_halves_do() -> Result<(), gridwright::Error> {
        compare!(halves, expected_halves, [[0; OF_LANES]; 2])
    }

    #[test]
    fn sums_of_products_wrap_as_whole_numbers_do() -> Result<(), gridwright::Error> {
        compare!(dots, expected_dots, [0; OF_DOTS])
    }
}
