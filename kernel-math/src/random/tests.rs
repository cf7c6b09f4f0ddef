use super::elementary::{ln, sin_cos_of_turn};
use super::*;

/// Source: Random123 1.14, `tests/kat_vectors`, the lines of philox4x32 with 10 rounds.
#[test]
fn philox_gives_the_authors_known_answers() {
    let most = [u32::MAX; 4];
    assert_eq!(philox4x32_10([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(philox4x32_10(most, [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    assert_eq!(
        philox4x32_10([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
    );
}

#[test]
fn seed_stream_and_position_are_the_key_and_the_counter() {
    let rng = Philox::new(0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00);
    let counter = [0x0000_0005, 0x0000_0001, 0xddee_ff00, 0x99aa_bbcc];
    assert_eq!(rng.at(0x1_0000_0005), philox4x32_10(counter, [0x5566_7788, 0x1122_3344]));
}

#[test]
fn a_skip_is_as_many_steps() {
    for before in 0..9 {
        for words in 0..20 {
            let mut stepped = Philox::new(3, 5);
            for _ in 0..before {
                stepped.next_u32();
            }
            let mut skipped = stepped;
            for _ in 0..words {
                stepped.next_u32();
            }
            skipped.skip(words);
            for _ in 0..9 {
                assert_eq!(stepped.next_u32(), skipped.next_u32(), "{words} after {before}");
            }
        }
    }
}

#[test]
fn far_skips_add_up_and_come_round() {
    let mut rng = Philox::new(1, 1);
    rng.skip(u64::MAX);
    rng.skip(u64::MAX);
    rng.skip(4);
    // 2 * (2^64 - 1) + 4 words are 2^63 blocks and two words.
    assert_eq!(rng.next_u32(), Philox::new(1, 1).at(1 << 63)[2]);
    // One word before the end.
    let mut last = Philox::new(1, 1);
    (0..4).for_each(|_| last.skip(u64::MAX));
    last.skip(3);
    assert_eq!(last.next_u32(), Philox::new(1, 1).at(u64::MAX)[3]);
    assert_eq!(last.next_u32(), Philox::new(1, 1).at(0)[0]);
}

/// How far counts are from equal ones: the sum of squared differences over what is expected, less its mean, over its deviation.
fn unevenness(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let sum: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (sum - freedom) / (2.0 * freedom).sqrt()
}

const DRAWS: usize = 1 << 20;

fn count(bins: usize, mut draw: impl FnMut() -> usize) -> Vec<u64> {
    let mut counts = vec![0; bins];
    (0..DRAWS).for_each(|_| counts[draw()] += 1);
    counts
}

#[test]
fn unit_numbers_are_spread_evenly_and_a_worse_generator_is_found_out() {
    let mut rng = Philox::new(2, 0);
    assert!(unevenness(&count(1000, || (rng.next_f32() * 1000.0) as usize)).abs() < 4.5);
    assert!(unevenness(&count(1000, || (rng.next_f64() * 1000.0) as usize)).abs() < 4.5);
    // Pairs of one stream, and of two neighbouring ones.
    assert!(
        unevenness(&count(1024, || (rng.next_u32() >> 27 << 5 | rng.next_u32() >> 27) as usize)).abs() < 4.5
    );
    let (mut left, mut right) = (Philox::new(2, 7), Philox::new(2, 8));
    assert!(
        unevenness(&count(1024, || (left.next_u32() >> 27 << 5 | right.next_u32() >> 27) as usize)).abs()
            < 4.5
    );
    // Numbers of ten bits don't fall evenly into a thousand bins.
    assert!(unevenness(&count(1000, || (rng.next_u32() >> 22) as usize * 1000 / 1024)) > 100.0);
    // Nor do those of a counter that isn't mixed, which are too even.
    let mut counter = 0_u32;
    assert!(
        unevenness(&count(1000, || {
            counter = counter.wrapping_add(2_654_435_769);
            (distribution::unit_f32(counter) * 1000.0) as usize
        })) < -10.0
    );
}

#[test]
fn numbers_below_a_bound_have_no_bias() {
    let mut rng = Philox::new(3, 0);
    assert!(unevenness(&count(10, || rng.below(10) as usize)).abs() < 4.5);
    assert!((0..100).all(|_| rng.below(1) == 0));
    // Of this bound one word in four is refused, and without that a third of the numbers come twice as often.
    let bound = 3 << 30;
    assert!(unevenness(&count(3, || (rng.below(bound) % 3) as usize)).abs() < 4.5);
    let biased = count(3, || (((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32 % 3) as usize);
    assert!(unevenness(&biased) > 1000.0);
    let most = (0..1000).map(|_| rng.below(u32::MAX)).max();
    assert!(most.is_some_and(|most| most > u32::MAX / 100 * 99));
}

#[test]
#[should_panic(expected = "the bound has to be at least 1")]
fn nothing_is_below_zero() {
    Philox::new(0, 0).below(0);
}

#[test]
fn edges_of_units_are_where_they_are_documented() {
    assert_eq!(unit_f32(u32::MAX), 1.0 - f32::EPSILON / 2.0);
    assert_eq!(unit_f32_above_zero(0), 1.0 / 16_777_216.0);
    assert_eq!(unit_f64(u64::MAX), 1.0 - f64::EPSILON / 2.0);
    assert_eq!(unit_f64_above_zero(0), f64::EPSILON / 2.0);
}

/// The error in units of the last place of the exact result.
fn ulps(value: f32, exact: f64) -> f64 {
    let unit = f64::from(f32::from_bits((exact as f32).abs().to_bits() + 1) - (exact as f32).abs());
    (f64::from(value) - exact).abs() / unit
}

#[test]
fn logarithm_sine_and_cosine_are_near_the_exact_ones() {
    let mut worst = [0.0_f64; 3];
    for step in 0..1 << 21 {
        let word = (step as u32).wrapping_mul(0x9e37_79b9);
        let x = (f64::from(word) + 0.5) as f32 * (1.0 / 4_294_967_296.0);
        if x < 1.0 {
            worst[0] = worst[0].max(ulps(ln(x), f64::from(x).ln()));
        }
        let (sin, cos) = sin_cos_of_turn(word);
        let turn = f64::from(word) / 4_294_967_296.0 * std::f64::consts::TAU;
        // Absolute, in units of the last place of numbers up to 1: near its zeros the exact sine in 64 bits isn't exact.
        worst[1] = worst[1].max((f64::from(sin) - turn.sin()).abs() * 16_777_216.0);
        worst[2] = worst[2].max((f64::from(cos) - turn.cos()).abs() * 16_777_216.0);
    }
    assert!(worst[0] < 2.0 && worst[1] < 2.0 && worst[2] < 2.0, "{worst:?}");
    assert_eq!(sin_cos_of_turn(0), (0.0, 1.0));
    assert_eq!(sin_cos_of_turn(1 << 30), (1.0, 0.0));
    assert_eq!(sin_cos_of_turn(1 << 31), (0.0, -1.0));
    assert_eq!(sin_cos_of_turn(3 << 30), (-1.0, 0.0));
}

/// The greatest distance between the distribution of numbers and the normal one, times the root of their number: 1.95 is passed once in
/// a thousand times.
fn distance_from_normal(mut numbers: Vec<f32>) -> f64 {
    numbers.sort_by(f32::total_cmp);
    let n = numbers.len() as f64;
    let far = numbers.iter().enumerate().map(|(i, &x)| {
        let below = normal_cdf(x.into());
        (below - i as f64 / n).max((i as f64 + 1.0) / n - below)
    });
    far.fold(0.0, f64::max) * n.sqrt()
}

/// The normal distribution's integral up to `x`, with Simpson's rule from 0, to 10 digits.
fn normal_cdf(x: f64) -> f64 {
    let steps = 200;
    let width = x / f64::from(steps);
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = if i == 0 || i == steps {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * density(f64::from(i) * width)
        })
        .sum();
    0.5 + sum * width / 3.0
}

#[test]
fn normal_numbers_are_normal_and_independent() {
    let mut rng = Philox::new(4, 0);
    let pairs: Vec<_> = (0..100_000).map(|_| rng.next_normal_pair()).collect();
    let (left, right): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let correlation: f64 =
        pairs.iter().map(|&(x, y)| f64::from(x) * f64::from(y)).sum::<f64>() / 100_000_f64.sqrt();
    assert!(correlation.abs() < 4.5, "{correlation}");
    let cube: f64 = left.iter().map(|&x| f64::from(x).powi(4)).sum::<f64>() / 100_000.0;
    assert!((cube - 3.0).abs() < 4.5 * (96.0_f64 / 100_000.0).sqrt(), "the fourth moment is {cube}");
    // One that is 2 % too wide is found out.
    assert!(distance_from_normal(left.iter().map(|x| x * 1.02).collect()) > 1.95);
    assert!(distance_from_normal(left) < 1.95);
    assert!(distance_from_normal(right) < 1.95);
}

/// The first points of three dimensions, and some far ones. Sources: S. Joe and F. Y. Kuo, Notes on generating Sobol sequences (2008),
/// the example at its end; SciPy 1.17.1, `qmc.Sobol(1111, scramble=False, bits=32)`.
#[test]
fn sobol_points_are_the_published_ones() {
    let dimension = |number| Sobol::new(number).expect("a dimension that there is");
    let published = [
        [0.0, 0.0, 0.0],
        [0.5, 0.5, 0.5],
        [0.75, 0.25, 0.25],
        [0.25, 0.75, 0.75],
        [0.375, 0.375, 0.625],
        [0.875, 0.875, 0.125],
        [0.625, 0.125, 0.875],
        [0.125, 0.625, 0.375],
        [0.1875, 0.3125, 0.9375],
        [0.6875, 0.8125, 0.4375],
    ];
    for (index, point) in published.into_iter().enumerate() {
        let ours = [0, 1, 2].map(|number| unit_f32(dimension(number).at(index as u32)));
        assert_eq!(ours, point, "point {index}");
    }
    let far = [
        (777, 10, 0xbec0_0000),
        (1000, 99, 0x2fc0_0000),
        (1023, 500, 0x61c0_0000),
        (512, 1110, 0xd840_0000),
        (999, 1110, 0xaec0_0000),
    ];
    for (index, number, word) in far {
        assert_eq!(dimension(number).at(index), word, "point {index} in dimension {number}");
    }
}

#[test]
fn every_dimension_has_one_point_in_each_part() {
    for number in 0..Sobol::DIMENSIONS {
        let dimension = Sobol::new(number).expect("a dimension that there is");
        let mut seen = [[false; 256]; 2];
        let mut point = 0;
        for index in 0..256 {
            if index > 0 {
                point = dimension.after(point, index);
            }
            assert_eq!(point, dimension.at(index));
            seen[0][(point >> 24) as usize] = true;
            seen[1][(dimension.at_scrambled(index, number as u32) >> 24) as usize] = true;
        }
        assert_eq!(seen, [[true; 256]; 2], "dimension {number}");
    }
    assert!(Sobol::new(Sobol::DIMENSIONS).is_none() && Sobol::new(usize::MAX).is_none());
}

#[test]
fn scrambled_points_differ_from_seed_to_seed_and_are_even_over_seeds() {
    let dimension = Sobol::new(5).expect("a dimension that there is");
    let mut rng = Philox::new(5, 0);
    let counts = count(64, || (dimension.at_scrambled(17, rng.next_u32()) >> 26) as usize);
    assert!(unevenness(&counts).abs() < 4.5, "{}", unevenness(&counts));
}

#[cfg(feature = "rand")]
#[test]
fn bytes_are_those_of_the_words() {
    use ::rand_core::Rng;
    let mut bytes = [0; 7];
    Philox::new(0, 0).fill_bytes(&mut bytes);
    assert_eq!(bytes, [0xd5, 0xe8, 0x27, 0x66, 0x8d, 0xc5, 0x69]);
}
