//! Tables that the host sets and that all threads read: arrays by value, slices, and `const`s.

use gridwright::prelude::*;

const POWERS: [u32; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];

/// An element of each table for each thread, by an index that is known nowhere before.
#[gpu_kernel(requires = index.len() == out.len())]
fn by_index(
    t: Thread,
    table: [u16; 40],
    pairs: [[f32; 2]; 8],
    slice: &[u32],
    index: &[u32],
    mut out: PerThread<[[u32; 4]]>,
) {
    let Some(out) = out.get_mut(t) else { return };
    let at = index[t.index()] as usize;
    *out = [table[at % 40].into(), pairs[at % 8][at / 8 % 2] as u32, slice[at % slice.len()], POWERS[at % 8]];
}

/// A polynomial: all threads read the same factor, turn by turn.
#[gpu_kernel(block = 64)]
#[allow(clippy::needless_range_loop)] // how arrays are read by an index is what is tested
fn polynomial(g: &Group, factors: [f32; 16], count: u32, mut x: PerThread<[f32]>) {
    g.each(x.elements_mut(), |_, x| {
        if let Some(x) = x {
            let mut sum = 0.0;
            for i in 0..(count as usize).min(16) {
                sum = sum * *x + factors[i];
            }
            *x = sum;
        }
    });
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;

    use super::*;
    use crate::device;

    #[test]
    fn each_thread_reads_the_element_that_it_wants() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let table: [u16; 40] = core::array::from_fn(|i| 60_000 + i as u16);
        let pairs: [[f32; 2]; 8] = core::array::from_fn(|i| [i as f32, 100.0 + i as f32]);
        let host: Vec<u32> = (500..513).collect();
        let index: Vec<u32> = (0..1000).map(|i| i * 37 % 1013).collect();
        let (slice, on_device) = (stream.upload(&host)?, stream.upload(&index)?);
        let mut out = stream.alloc_zeroed::<u32>(4 * 1000)?;
        let config = LaunchConfig::threads(1000);
        by_index::load(&device)?.launch(&stream, config, (table, pairs, &slice, &on_device, &mut out))?;
        let expected = index.iter().flat_map(|&at| {
            let at = at as usize;
            [table[at % 40].into(), pairs[at % 8][at / 8 % 2] as u32, host[at % 13], 3_u32.pow(at as u32 % 8)]
        });
        assert_eq!(stream.download(&out)?, expected.collect::<Vec<u32>>());
        Ok(())
    }

    #[test]
    fn all_threads_read_one_element_after_another() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let factors: [f32; 16] = core::array::from_fn(|i| i as f32 - 7.0);
        for count in [0, 1, 5, 16, 17] {
            let mut x = stream.upload(&[2.0; 100])?;
            let config = LaunchConfig::threads(100);
            polynomial::load(&device)?.launch(&stream, config, (factors, count, &mut x))?;
            let expected = factors.iter().take(count as usize).fold(0.0, |sum, factor| sum * 2.0 + factor);
            assert_eq!(stream.download(&x)?, [expected; 100], "{count}");
        }
        Ok(())
    }
}
