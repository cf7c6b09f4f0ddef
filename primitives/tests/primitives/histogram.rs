use gridwright_primitives::{self as primitives, Error};

use crate::devices;
use crate::instances::Mine;
use crate::sort::numbers;

/// Counts by a function of each element.
fn counted<T: Copy>(x: &[T], bins: usize, bin: impl Fn(T) -> Option<usize>) -> Vec<u32> {
    let mut counts = vec![0; bins];
    for bin in x.iter().filter_map(|x| bin(*x)).filter(|bin| *bin < bins) {
        counts[bin] += 1;
    }
    counts
}

#[test]
fn numbers_are_counted() {
    devices::each(|stream| {
        for (len, bins) in [(0, 5), (1, 1), (5000, 3), (5000, 256), (9000, 5000), (9000, 20_000)] {
            let x: Vec<u32> = numbers(len).map(|x| (x % (bins as u64 + 10)) as u32).collect();
            let buffer = stream.upload(&x).unwrap();
            let mut counts = stream.upload(&vec![7_u32; bins]).unwrap();
            primitives::on(stream).histogram(&buffer, &mut counts).unwrap();
            assert!(
                stream.download(&counts).unwrap() == counted(&x, bins, |x| Some(x as usize)),
                "{bins} bins"
            );
        }
    });
}

#[test]
fn even_bins_are_counted() {
    devices::each(|stream| {
        let x: Vec<f32> =
            numbers(10_000).map(|x| (x % 1200) as f32 / 1000.0 - 0.1).chain([f32::NAN]).collect();
        let mut counts = stream.alloc_zeroed::<u32>(10).unwrap();
        primitives::on(stream).histogram_even(&stream.upload(&x).unwrap(), 0.0..1.0, &mut counts).unwrap();
        let bin = |x: f32| (0.0..1.0).contains(&x).then_some(((x * 10.0) as usize).min(9));
        assert_eq!(stream.download(&counts).unwrap(), counted(&x, 10, bin));

        let x: Vec<i32> =
            numbers(10_000).map(|x| (x % 300) as i32 - 150).chain([i32::MIN, i32::MAX]).collect();
        let buffer = stream.upload(&x).unwrap();
        let p = primitives::on(stream).with_kernels::<Mine>();
        for (range, bins) in [(-100..100, 7), (-3..4, 7), (-3..4, 20), (i32::MIN..i32::MAX, 1000)] {
            let mut counts = stream.alloc_zeroed::<u32>(bins).unwrap();
            p.histogram_even(&buffer, range.clone(), &mut counts).unwrap();
            let bin = |x: i32| {
                let of = |x: i32| i128::from(x) - i128::from(range.start);
                range.contains(&x).then(|| (of(x) * bins as i128 / of(range.end)) as usize)
            };
            assert!(stream.download(&counts).unwrap() == counted(&x, bins, bin), "{bins} bins of {range:?}");
        }

        let x: Vec<u32> = numbers(10_000).map(|x| x as u32 % 70_000).collect();
        let mut counts = stream.alloc_zeroed::<u32>(256).unwrap();
        p.histogram_even(&stream.upload(&x).unwrap(), 0..65_536, &mut counts).unwrap();
        let bin = |x: u32| (x < 65_536).then_some(x as usize / 256);
        assert!(stream.download(&counts).unwrap() == counted(&x, 256, bin));
    });
}

#[test]
fn ranges_are_counted() {
    devices::each(|stream| {
        let x: Vec<f32> = numbers(5000).map(|x| (x % 1200) as f32).chain([f32::NAN]).collect();
        let boundaries = [0.0_f32, 1.0, 10.0, 100.0, 1000.0];
        let (buffer, of_boundaries) = (stream.upload(&x).unwrap(), stream.upload(&boundaries).unwrap());
        let mut counts = stream.alloc_zeroed::<u32>(4).unwrap();
        let p = primitives::on(stream);
        p.histogram_ranges(&buffer, &of_boundaries, &mut counts).unwrap();
        let bin = |x: f32| boundaries.windows(2).position(|range| range[0] <= x && x < range[1]);
        assert_eq!(stream.download(&counts).unwrap(), counted(&x, 4, bin));
        let error = p.histogram_ranges(&buffer, &of_boundaries, counts.slice_mut(1..).unwrap()).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 4, given: 5, .. }), "{error}");
    });
}
