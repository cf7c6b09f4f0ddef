use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::Add;

use crate::devices;

/// Lengths around the ends of tiles of 4096 elements, and of several of them.
const LENGTHS: [u32; 12] = [0, 1, 2, 15, 16, 17, 4095, 4096, 4097, 8192, 20_000, 170_001];

#[test]
fn scans_of_numbers_are_those_of_an_iterator() {
    devices::each(|stream| {
        for len in LENGTHS {
            let x: Vec<u32> = (0..len).map(|i| i.wrapping_mul(2_654_435_761)).collect();
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(x.len()).unwrap());
            let p = primitives::on(stream);
            p.inclusive_scan(&input, Add, &mut out).unwrap();
            let expected: Vec<u32> = sums(0, &x).skip(1).collect();
            assert_eq!(stream.download(&out).unwrap(), expected, "{len}");
            p.exclusive_scan(&input, 7, Add, &mut out).unwrap();
            let expected: Vec<u32> = sums(7, &x).take(x.len()).collect();
            assert_eq!(stream.download(&out).unwrap(), expected, "{len}");
        }
    });
}

/// The sums of the first elements after `init`, from none to all.
fn sums(init: u32, x: &[u32]) -> impl Iterator<Item = u32> {
    std::iter::once(init).chain(x.iter().scan(init, |sum, x| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    }))
}
