use std::fmt::Debug;

use gridwright::DeviceKind;
use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;
use gridwright_primitives::operators::Add;
use gridwright_primitives::source::Slice;
use gridwright_primitives::{self as primitives, Error, Input, Scan, Workspace};

use crate::devices;
use crate::random::{Random, lengths};
use crate::scan_instances::{Affine, Checked, Compose, Join, Matrix2, Mine, Product, Quadruple, Wide};

/// Scans as an iterator does, after `init` if there is one.
fn expected<T: Copy>(x: &[T], init: Option<T>, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut so_far = init;
    let mut scan = |&x: &T| {
        let next = so_far.map_or(x, |so_far| op(so_far, x));
        let out = if init.is_some() { so_far } else { Some(next) };
        so_far = Some(next);
        out
    };
    x.iter().filter_map(&mut scan).collect()
}

/// Scans of elements that `one` makes, in tiles of so many, by instances of `K`.
fn scans<K, T, O>(tile: usize, init: T, operator: O, one: fn(&mut Random) -> T)
where
    T: KernelArg + PartialEq + Debug,
    O: Operator<(T, T), Output = T>,
    K: Scan<Slice<T>, O>,
{
    let mut random = Random(1);
    let lengths = lengths(tile, &mut random);
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<K>());
        for &len in &lengths {
            let x = random_elements(len, one);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            p.inclusive_scan(&input, operator, &mut out).unwrap();
            let op = |a, b| operator.call((a, b));
            assert!(stream.download(&out).unwrap() == expected(&x, None, op), "inclusive, {len}");
            p.exclusive_scan(&input, init, operator, &mut out).unwrap();
            assert!(stream.download(&out).unwrap() == expected(&x, Some(init), op), "exclusive, {len}");
        }
    });
}

fn random_elements<T>(len: usize, one: fn(&mut Random) -> T) -> Vec<T> {
    Random(len as u64).many(len, one)
}

#[test]
fn scans_of_numbers_are_those_of_an_iterator() {
    scans::<primitives::Standard, _, _>(4096, 7, Add, |random| random.next() as u32);
}

#[test]
fn scans_keep_the_order_of_operators_that_are_not_commutative() {
    scans::<Mine, _, _>(1024, Matrix2 { rows: [1, 2, 3, 5] }, Product, Random::matrix);
    scans::<Mine, _, _>(1280, Affine { a: 3, b: 1, calls: 0 }, Compose, Random::affine);
}

#[test]
fn scans_of_large_elements_are_those_of_an_iterator() {
    scans::<Mine, _, _>(256, Wide { first: 0, last: 0, sums: [1; 7] }, Join, Random::wide);
}

#[test]
fn scans_of_computed_inputs_are_those_of_an_iterator() {
    devices::each_way(|p| {
        let stream = p.stream();
        let x: Vec<u64> = (0..5000).map(|i| i * i).collect();
        let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(x.len()).unwrap());
        let p = p.with_kernels::<Mine>();
        p.inclusive_scan((&input).map(Quadruple), Add, &mut out).unwrap();
        let x: Vec<u64> = x.iter().map(|x| x << 2).collect();
        assert_eq!(stream.download(&out).unwrap(), expected(&x, None, |a, b| a + b));
    });
}

#[test]
fn scans_of_floats_are_exact_where_sums_are() {
    scans::<Mine, _, _>(4096, 1.0, Add, |random| random.below(4) as f32);
}

#[test]
fn more_tiles_are_scanned_than_a_group_has_at_a_time() {
    let len = 256 * 256 + 300;
    let x = random_elements(len, Random::wide);
    let expected = expected(&x, None, |a, b| Join.call((a, b)));
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
        p.inclusive_scan(&input, Join, &mut out).unwrap();
        assert!(stream.download(&out).unwrap() == expected);
    });
}

#[test]
fn an_output_of_another_length_is_refused() {
    devices::each(|stream| {
        let (x, mut out) = (stream.upload(&[1_u32, 2, 3]).unwrap(), stream.alloc_zeroed(2).unwrap());
        let p = primitives::on(stream);
        let refused = |result: Result<(), Error>| {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Lengths { what: "the output", expected: 3, given: 2 }));
        };
        refused(p.inclusive_scan(&x, Add, &mut out));
        refused(p.exclusive_scan(&x, 0, Add, &mut out));
    });
}

#[test]
fn scans_run_in_a_workspace_that_is_large_enough() {
    devices::each_way(|p| {
        let stream = p.stream();
        if stream.device().kind() == DeviceKind::Cpu {
            return;
        }
        let x = vec![1_u32; 9000];
        let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(x.len()).unwrap());
        let call =
            |p: &primitives::Primitives<'_>, out: BufferSliceMut<'_, u32>| p.inclusive_scan(&input, Add, out);
        let workspace = Workspace::for_calls(stream, |p| call(p, (&mut out).into())).unwrap();
        call(&p.in_workspace(&workspace), (&mut out).into()).unwrap();
        assert_eq!(stream.download(&out).unwrap()[8999], 9000);
        let small = Workspace::new(stream, 0).unwrap();
        let error = call(&p.in_workspace(&small), (&mut out).into()).unwrap_err();
        assert!(matches!(error, Error::Workspace { needed: 32.., given: 0 }), "{error}");
    });
}

#[test]
fn a_captured_scan_runs_as_often_as_its_graph() {
    devices::each_way(|p| {
        let stream = p.stream();
        let mut x = stream.upload(&vec![1_u32; 10_000]).unwrap();
        let mut out = stream.alloc_zeroed(10_000).unwrap();
        let graph = {
            let (x, out) = (&x, &mut out);
            stream
                .capture(|_| {
                    p.inclusive_scan(x, Add, out).unwrap();
                    Ok(())
                })
                .unwrap()
        };
        for step in [1, 3] {
            stream.fill(&mut x, step).unwrap();
            graph.launch(stream).unwrap();
            let expected: Vec<u32> = (1..=10_000).map(|i| i * step).collect();
            assert_eq!(stream.download(&out).unwrap(), expected);
        }
    });
}

#[test]
fn an_operator_that_panics_is_an_error_of_the_launch() {
    for device in [Device::cpu(), Device::emulator()] {
        let is_cpu = device.as_ref().unwrap().kind() == DeviceKind::Cpu;
        let stream = &device.and_then(|device| device.stream()).unwrap();
        let mut x = vec![1_u32; 9000];
        x[100] = u32::MAX;
        let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(x.len()).unwrap());
        let p = primitives::on(stream).with_kernels::<Mine>();
        let call = p.inclusive_scan(&input, Checked, &mut out);
        let end = call.and_then(|()| Ok(stream.synchronize()?));
        let of_kernel = matches!(end, Err(Error::Gridwright(gridwright::Error::KernelPanic { .. })));
        let of_host = matches!(end, Err(Error::Gridwright(gridwright::Error::HostPanic { .. })));
        assert!(if is_cpu { of_host } else { of_kernel }, "{end:?}");
    }
}
