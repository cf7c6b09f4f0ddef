use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Greater, Less};

use crate::devices;
use crate::instances::{ByFirst, Mine, Nonsense};
use crate::sort::numbers;

#[test]
fn elements_are_sorted_by_a_comparison() {
    devices::each(|stream| {
        for len in [0, 1, 2, 7, 8, 9, 2047, 2048, 2049, 4097, 20_000] {
            let mut host: Vec<u32> = numbers(len).map(|x| x as u32).collect();
            let mut x = stream.upload(&host).unwrap();
            primitives::on(stream).merge_sort(&mut x, Less).unwrap();
            host.sort_unstable();
            assert!(stream.download(&x).unwrap() == host, "{len} elements");
            primitives::on(stream).merge_sort(&mut x, Greater).unwrap();
            host.reverse();
            assert!(stream.download(&x).unwrap() == host, "{len} elements, the greatest first");
        }
    });
}

#[test]
fn equal_elements_stay_in_their_order() {
    devices::each(|stream| {
        for len in [100, 2049, 10_000] {
            let mut host: Vec<[u32; 3]> =
                numbers(len).zip(0..).map(|(x, i)| [x as u32 % 50, i, !i]).collect();
            let mut x = stream.upload(&host).unwrap();
            primitives::on(stream).with_kernels::<Mine>().merge_sort(&mut x, ByFirst).unwrap();
            host.sort_by_key(|x| x[0]);
            assert!(stream.download(&x).unwrap() == host, "{len} elements");
        }
    });
}

#[test]
fn a_comparison_that_is_no_order_is_harmless() {
    devices::each(|stream| {
        for len in [100, 2049, 10_000] {
            let host: Vec<u32> = numbers(len).map(|x| x as u32 % 1000).collect();
            let mut x = stream.upload(&host).unwrap();
            primitives::on(stream).with_kernels::<Mine>().merge_sort(&mut x, Nonsense).unwrap();
            let sorted = stream.download(&x).unwrap();
            assert!(sorted.len() == len && sorted.iter().all(|x| *x < 1000));
        }
    });
}
