use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Add, Max};

use crate::devices;

#[test]
fn sums_and_maxima_are_those_of_an_iterator() {
    devices::each(|stream| {
        for len in [0, 1, 2, 255, 4096, 4097, 100_000] {
            let x: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            let input = stream.upload(&x).unwrap();
            let p = primitives::on(stream);
            assert_eq!(p.reduce(&input, 0, Add).unwrap(), x.iter().fold(0, |a: u32, b| a.wrapping_add(*b)));
            assert_eq!(p.reduce(&input, 0, Max).unwrap(), x.iter().copied().max().unwrap_or(0));
        }
    });
}
