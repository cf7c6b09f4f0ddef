//! Collectives of values that are larger than a place for each warp's, and of values with a large alignment.

use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, numbers, open};

/// The powers of a number, as sums of them are wanted for moments.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Powers {
    powers: [u64; 5],
}

/// A value so large that there is room for few at a time.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Row {
    values: [u32; 75],
}

/// A value with bytes that aren't whole words.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Bytes {
    bytes: [u8; 41],
}

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C, align(32))]
struct Aligned {
    values: [u64; 4],
}

/// A value of a number, and how two become one.
trait Combined: KernelArg {
    fn of(number: u32) -> Self;
    fn with(self, other: Self) -> Self;
}

impl Combined for Powers {
    fn of(number: u32) -> Self {
        let number = u64::from(number);
        Self { powers: core::array::from_fn(|n| (0..n).fold(1, |power, _| power * number)) }
    }

    fn with(self, other: Self) -> Self {
        Self { powers: core::array::from_fn(|n| self.powers[n] + other.powers[n]) }
    }
}

impl Combined for Row {
    fn of(number: u32) -> Self {
        Self { values: core::array::from_fn(|n| number.rotate_left(n as u32)) }
    }

    fn with(self, other: Self) -> Self {
        Self { values: core::array::from_fn(|n| self.values[n].wrapping_add(other.values[n])) }
    }
}

impl Combined for Bytes {
    fn of(number: u32) -> Self {
        Self { bytes: core::array::from_fn(|n| (number >> (n % 8)) as u8) }
    }

    fn with(self, other: Self) -> Self {
        Self { bytes: core::array::from_fn(|n| self.bytes[n].wrapping_add(other.bytes[n])) }
    }
}

impl Combined for Aligned {
    fn of(number: u32) -> Self {
        Self { values: [number.into(), 1, u64::from(number) << 40, !0] }
    }

    fn with(self, other: Self) -> Self {
        Self { values: core::array::from_fn(|n| self.values[n].wrapping_add(other.values[n])) }
    }
}

/// Of each thread: the sum of all, of those up to it, of those before it, and the last one's value.
#[gpu_kernel(instances(Powers, Row, Bytes, Aligned), max_threads = 1024)]
fn collectives<T: Combined>(g: &Group, x: &[u32], mut out: PerThread<[[T; 4]]>) {
    let mine = g.map((), |t, ()| T::of(x.get(t.index()).copied().unwrap_or(0)));
    let sum = g.reduce(&mine, |a, b| a.with(b));
    let last = g.broadcast(&mine, g.len() - 1);
    let so_far = g.scan_inclusive(&mine, |a, b| a.with(b));
    let before = g.scan_exclusive(&mine, T::of(0), |a, b| a.with(b));
    g.each((&so_far, &before, out.elements_mut()), |_, (so_far, before, out)| {
        if let Some(out) = out {
            *out = [sum, *so_far, *before, last];
        }
    });
}

macro_rules! values {
    ($($test:ident $value:ty;)*) => {$(
        #[test]
        fn $test() -> Result {
            let (device, stream) = open()?;
            for &block in blocks(&device) {
                let host = numbers(2 * block + block / 2);
                let x = stream.upload(&host)?;
                let mut y = stream.alloc_zeroed::<[$value; 4]>(host.len())?;
                let config = LaunchConfig::threads(host.len()).block(block);
                collectives::<$value>::load(&device)?.launch(&stream, config, (&x, &mut y))?;
                let y = stream.download(&y)?;
                for (found, host) in y.chunks(block).zip(host.chunks(block)) {
                    let mut host = host.to_vec();
                    host.resize(block, 0);
                    let all: Vec<$value> = host.iter().map(|&number| <$value>::of(number)).collect();
                    let sum = all[1..].iter().fold(all[0], |sum, &value| sum.with(value));
                    let mut before = <$value>::of(0);
                    let mut so_far = None::<$value>;
                    for (i, (found, &value)) in found.iter().zip(&all).enumerate() {
                        let up_to = so_far.map_or(value, |so_far| so_far.with(value));
                        assert_eq!(*found, [sum, up_to, before, all[block - 1]], "thread {i} of {block}");
                        before = before.with(value);
                        so_far = Some(up_to);
                    }
                }
            }
            Ok(())
        }
    )*};
}

values! {
    values_of_forty_bytes Powers;
    values_of_three_hundred_bytes Row;
    values_of_bytes_that_are_no_whole_words Bytes;
    values_that_are_aligned_to_thirty_two_bytes Aligned;
}
