use gridwright_primitives::operators::Equal;
use gridwright_primitives::{self as primitives, Error};

use crate::devices;
use crate::random::{Random, lengths};
use crate::scan_instances::{Affine, IsEven, IsEvenNumber, IsFirstEven, IsMultiple, Mine, Wide};

#[test]
fn selected_elements_are_those_of_an_iterator() {
    let mut random = Random(2);
    let lengths = lengths(4096, &mut random);
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        for &len in &lengths {
            for of in [1, 2, 5, 1 << 31] {
                let x = Random(len as u64).many(len, |random| random.next() as u32 | 1 << 30);
                let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(len).unwrap());
                let predicate = IsMultiple { of };
                let expected: Vec<u32> = x.iter().copied().filter(|x| x % of == 0).collect();
                assert_eq!(p.select(&input, predicate, &mut out).unwrap(), expected.len());
                let found = stream.download(&out).unwrap();
                assert!(found[..expected.len()] == expected, "{len} {of}");
                assert!(found[expected.len()..].iter().all(|&x| x == 0), "{len} {of}");
                let others: Vec<u32> = x.iter().copied().filter(|x| x % of != 0).collect();
                assert_eq!(p.partition(&input, predicate, &mut out).unwrap(), expected.len());
                assert!(stream.download(&out).unwrap() == [expected, others].concat(), "{len} {of}");
            }
        }
    });
}

#[test]
fn even_numbers_are_selected() {
    devices::each(|stream| {
        let p = primitives::on(stream).with_kernels::<Mine>();
        for len in [1, 4095, 4096, 4097, 20_000] {
            let x = Random(7).many(len, |random| random.next() as u32);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            let count = p.select(&input, IsEvenNumber, &mut out).unwrap();
            let expected: Vec<u32> = x.iter().copied().filter(|x| x % 2 == 0).collect();
            assert!(stream.download(&out.slice(..count).unwrap()).unwrap() == expected, "{len}");
        }
    });
}

#[test]
fn structs_are_selected_whole() {
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        for len in [1, 1279, 1280, 1281, 7000] {
            let x = Random(3).many(len, Random::affine);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            let count = p.select(&input, IsEven, &mut out).unwrap();
            let expected: Vec<Affine> = x.iter().copied().filter(|x| x.a % 2 == 0).collect();
            assert_eq!(stream.download(&out.slice(..count).unwrap()).unwrap(), expected);
        }
        for len in [1, 255, 256, 257, 1500] {
            let x = Random(4).many(len, Random::wide);
            let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
            let count = p.select(&input, IsFirstEven, &mut out).unwrap();
            let expected: Vec<Wide> = x.iter().copied().filter(|x| x.first % 2 == 0).collect();
            assert_eq!(stream.download(&out.slice(..count).unwrap()).unwrap(), expected);
        }
    });
}

#[test]
fn flagged_elements_are_those_of_an_iterator() {
    let mut random = Random(5);
    let lengths = lengths(2048, &mut random);
    devices::each_way(|p| {
        let stream = p.stream();
        for &len in &lengths {
            let mut random = Random(len as u64);
            let x = random.many(len, |random| random.next() as u32);
            let flags = random.many(len, |random| random.below(3) as u8);
            let (input, set) = (stream.upload(&x).unwrap(), stream.upload(&flags).unwrap());
            let mut out = stream.alloc_unset(len).unwrap();
            let count = p.select_flagged(&input, &set, &mut out).unwrap();
            let expected: Vec<u32> =
                x.iter().zip(&flags).filter(|(_, flag)| **flag != 0).map(|(x, _)| *x).collect();
            assert_eq!(stream.download(&out.slice(..count).unwrap()).unwrap(), expected);
        }
    });
}

#[test]
fn unique_elements_are_those_of_a_vector() {
    let mut random = Random(6);
    let lengths = lengths(4096, &mut random);
    devices::each_way(|p| {
        let stream = p.stream();
        for &len in &lengths {
            for most in [1, 2, 1000] {
                let x = Random(len as u64).many(len, |random| random.below(most) as u32);
                let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
                let count = p.unique(&input, Equal, &mut out).unwrap();
                let mut expected = x.clone();
                expected.dedup();
                assert!(stream.download(&out.slice(..count).unwrap()).unwrap() == expected, "{len} {most}");
                let x: Vec<u64> = x.iter().map(|&x| u64::from(x) << 32).collect();
                let (input, mut out) = (stream.upload(&x).unwrap(), stream.alloc_unset(len).unwrap());
                let p = p.with_kernels::<Mine>();
                assert_eq!(p.unique(&input, Equal, &mut out).unwrap(), expected.len());
                let expected: Vec<u64> = expected.iter().map(|&x| u64::from(x) << 32).collect();
                assert!(stream.download(&out.slice(..count).unwrap()).unwrap() == expected, "{len} {most}");
            }
        }
    });
}

#[test]
fn what_an_output_has_no_room_for_is_counted() {
    devices::each(|stream| {
        let (input, mut out) =
            (stream.upload(&vec![2_u32; 9000]).unwrap(), stream.alloc_zeroed(5000).unwrap());
        let p = primitives::on(stream).with_kernels::<Mine>();
        assert_eq!(p.select(&input, IsMultiple { of: 2 }, &mut out).unwrap(), 9000);
        assert_eq!(stream.download(&out).unwrap(), [2; 5000]);
    });
}

#[test]
fn counts_flags_and_outputs_have_the_lengths_that_they_must() {
    devices::each(|stream| {
        let x = stream.upload(&[1_u32, 2, 3]).unwrap();
        let (mut out, mut counts) = (stream.alloc_zeroed(3).unwrap(), stream.alloc_zeroed(2).unwrap());
        let p = primitives::on(stream).with_kernels::<Mine>();
        let error = p.select_into(&x, IsMultiple { of: 2 }, &mut out, &mut counts).unwrap_err();
        assert!(matches!(error, Error::Lengths { what: "the count", expected: 1, given: 2 }));
        let mut short = stream.alloc_zeroed(2).unwrap();
        let error = p.partition(&x, IsMultiple { of: 2 }, &mut short).unwrap_err();
        assert!(matches!(error, Error::Lengths { what: "the output", expected: 3, given: 2 }));
        let flags = stream.upload(&[1_u8; 4]).unwrap();
        let error = primitives::on(stream).select_flagged(&x, &flags, &mut out).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 3, given: 4, .. }));
    });
}

#[test]
fn a_captured_selection_counts_in_each_replay() {
    devices::each_way(|p| {
        let (stream, p) = (p.stream(), p.with_kernels::<Mine>());
        let mut x = stream.upload(&(0..10_000).collect::<Vec<u32>>()).unwrap();
        let (mut out, mut count) = (stream.alloc_zeroed(10_000).unwrap(), stream.alloc_zeroed(1).unwrap());
        let graph = {
            let (x, out, count) = (&x, &mut out, &mut count);
            stream
                .capture(|_| {
                    p.select_into(x, IsMultiple { of: 4 }, out, count).unwrap();
                    Ok(())
                })
                .unwrap()
        };
        graph.launch(stream).unwrap();
        assert_eq!(stream.download(&count).unwrap(), [2500]);
        stream.fill(&mut x, 3).unwrap();
        graph.launch(stream).unwrap();
        assert_eq!(stream.download(&count).unwrap(), [0]);
    });
}
