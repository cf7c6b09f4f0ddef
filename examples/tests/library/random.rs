//! `gridwright::random`: the same bits as on the host, which `gridwright-math`'s own tests hold against published ones.

use gridwright::prelude::*;
use gridwright::random::{
    Philox, Sobol, philox4x32_10, unit_f32, unit_f32_above_zero, unit_f64, unit_f64_above_zero,
};

const OF_STREAM: usize = 16;

/// What a thread draws, one after another, as bits.
#[gpu_kernel]
fn draw(t: Thread, seed: u64, mut words: PerThread<[[u32; OF_STREAM]]>) {
    if let Some(words) = words.get_mut(t) {
        *words = drawn(seed, t.index() as u64);
    }
}

#[inline(always)]
fn drawn(seed: u64, stream: u64) -> [u32; OF_STREAM] {
    let mut rng = Philox::new(seed, stream);
    let first = rng.next_u32();
    let wide = rng.next_u64();
    let (unit, fine) = (rng.next_f32(), rng.next_f64().to_bits());
    let (x, y) = rng.next_normal_pair();
    let die = rng.below(6);
    let rare = rng.below(3 << 30); // one in four is drawn again, so that threads part
    rng.skip(stream * 1_000_003);
    let later = rng.next_u32();
    let [a, b, c, d] = rng.at(stream);
    [
        first,
        wide as u32,
        (wide >> 32) as u32,
        unit.to_bits(),
        fine as u32,
        (fine >> 32) as u32,
        x.to_bits(),
        y.to_bits(),
        die,
        rare,
        later,
        a,
        b,
        c,
        d,
        unit_f32_above_zero(a).to_bits()
            ^ unit_f64_above_zero(wide).to_bits() as u32
            ^ unit_f64(wide).to_bits() as u32,
    ]
}

#[gpu_kernel(requires = counters.len() == out.len())]
fn known_answers(t: Thread, counters: &[[u32; 6]], mut out: PerThread<[[u32; 4]]>) {
    if let Some(out) = out.get_mut(t) {
        let [a, b, c, d, k, l] = counters[t.index()];
        *out = philox4x32_10([a, b, c, d], [k, l]);
    }
}

/// Each dimension's coordinate of a thread's point, and what scrambling makes of it; of one dimension made by the kernel itself, too.
#[gpu_kernel]
fn points(t: Thread, dimensions: &[Sobol], mut out: PerThread<[[u32; 8]]>) {
    let Some(out) = out.get_mut(t) else { return };
    let index = t.index() as u32;
    for (out, dimension) in out.iter_mut().zip(dimensions) {
        *out = dimension.at(index);
    }
    if let [first, ..] = dimensions {
        out[5] = first.at_scrambled(index, 42);
        out[6] = unit_f32(first.after(first.at(index), index.wrapping_add(1))).to_bits();
    }
    if let Some(made) = Sobol::new(700 + t.index() % 8) {
        out[7] = made.at(index);
    }
}

#[cfg(all(test, not(gridwright_device)))]
mod tests {
    use super::*;

    const THREADS: usize = 600;

    #[test]
    fn each_thread_draws_what_the_host_draws() -> Result<(), gridwright::Error> {
        let device = crate::device()?;
        let mut words = vec![[0; OF_STREAM]; THREADS];
        let seed = 0x0123_4567_89ab_cdef;
        draw::load(&device)?.run(&device, LaunchConfig::threads(THREADS), (seed, InOut(&mut words)))?;
        for (stream, words) in words.into_iter().enumerate() {
            assert_eq!(words, drawn(seed, stream as u64), "stream {stream}");
        }
        Ok(())
    }

    /// Source: Random123 1.14, `tests/kat_vectors`.
    #[test]
    fn philox_gives_the_authors_known_answers() -> Result<(), gridwright::Error> {
        let device = crate::device()?;
        let counters = [
            [0; 6],
            [u32::MAX; 6],
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344, 0xa409_3822, 0x299f_31d0],
        ];
        let mut answers = [[0; 4]; 3];
        known_answers::load(&device)?.run(
            &device,
            LaunchConfig::threads(3),
            (&counters, InOut(&mut answers)),
        )?;
        assert_eq!(
            answers,
            [
                [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
                [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ]
        );
        Ok(())
    }

    #[test]
    fn sobol_points_are_those_of_the_host() -> Result<(), gridwright::Error> {
        let device = crate::device()?;
        let dimensions: Vec<_> = [1, 2, 99, 500, 1110].into_iter().filter_map(Sobol::new).collect();
        let mut out = vec![[0; 8]; THREADS];
        points::load(&device)?.run(
            &device,
            LaunchConfig::threads(THREADS),
            (&dimensions, InOut(&mut out)),
        )?;
        for (index, out) in (0..).zip(out) {
            let made = Sobol::new(700 + index as usize % 8).expect("there are 1111");
            let expected = [
                dimensions[0].at(index),
                dimensions[1].at(index),
                dimensions[2].at(index),
                dimensions[3].at(index),
                dimensions[4].at(index),
                dimensions[0].at_scrambled(index, 42),
                unit_f32(dimensions[0].at(index + 1)).to_bits(),
                made.at(index),
            ];
            assert_eq!(out, expected, "point {index}");
        }
        // SciPy's: qmc.Sobol(1111, scramble=False, bits=32).
        assert_eq!(dimensions[4].at(512), 0xd840_0000);
        Ok(())
    }
}
