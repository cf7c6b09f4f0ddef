//! Lazy inputs, each through a reduction whose kernel is this crate's instance.

use gridwright_primitives::operators::{Add, Negate};
use gridwright_primitives::{self as primitives, Error, Input, constant, counting};

use crate::devices;
use crate::instances::{Both, Digits, Mine, Product, Weighted};

const LENGTHS: [usize; 5] = [0, 1, 300, 4096, 9001];

#[test]
fn each_kind_of_input_is_what_an_iterator_gives() {
    devices::each(|stream| {
        let p = primitives::on(stream).with_kernels::<Mine>();
        for len in LENGTHS {
            let x: Vec<f32> = (0..len).map(|i| (i % 19) as f32).collect();
            let u: Vec<u32> = (0..len as u32).map(|i| i * i % 1009).collect();
            let at: Vec<u64> = (0..len as u64).map(|i| i * 7 % len as u64).collect();
            let (dx, du, dat) =
                (stream.upload(&x).unwrap(), stream.upload(&u).unwrap(), stream.upload(&at).unwrap());

            let sum = p.reduce(dx.map(Negate), 0.0, Add).unwrap();
            assert_eq!(sum, x.iter().map(|x| -x).sum::<f32>(), "map of {len}");

            let sum = p.reduce(dx.zip(&dx).map(Product), 0.0, Add).unwrap();
            assert_eq!(sum, x.iter().map(|x| x * x).sum::<f32>(), "zip of {len}");

            let weighted = du.reversed().unwrap().enumerate().map(Weighted { scale: 3 });
            let expected: u64 = u.iter().rev().zip(0..).map(|(&x, i)| 3 * i * u64::from(x)).sum();
            assert_eq!(p.reduce(weighted, 0, Add).unwrap(), expected, "reversed of {len}");

            let sum = p.reduce(counting(5).take(len).map(Digits), 0, Add).unwrap();
            assert_eq!(sum, (5..5 + len as u64).map(|i| i % 10).sum::<u64>(), "counting of {len}");

            let all = du.gather(&dat).zip(constant(11_u64)).zip(&du).map(Both);
            let expected: u64 =
                at.iter().zip(&u).map(|(&at, &x)| u64::from(u[at as usize]) * 11 + u64::from(x)).sum();
            assert_eq!(p.reduce(all, 0, Add).unwrap(), expected, "three slices of {len}");
        }
    });
}

#[test]
fn parts_of_buffers_are_inputs() {
    devices::each(|stream| {
        let x = stream.upload(&(0..1000_u32).collect::<Vec<_>>()).unwrap();
        let sum = primitives::on(stream).reduce(x.slice(10..20).unwrap(), 0, Add).unwrap();
        assert_eq!(sum, (10..20).sum());
    });
}

#[test]
fn inputs_of_other_lengths_and_without_an_end_are_errors() {
    devices::each(|stream| {
        let (x, y) = (stream.upload(&[1.0_f32, 2.0]).unwrap(), stream.upload(&[1.0_f32]).unwrap());
        let p = primitives::on(stream).with_kernels::<Mine>();
        let error = p.reduce(x.zip(&y).map(Product), 0.0, Add).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 2, given: 1, .. }), "{error}");
        assert!(matches!(p.reduce(counting(0).map(Digits), 0, Add).unwrap_err(), Error::Endless));
        let more = x.take(3).map(Negate);
        assert!(matches!(
            p.reduce(more, 0.0, Add).unwrap_err(),
            Error::Lengths { expected: 3, given: 2, .. }
        ));
    });
}
