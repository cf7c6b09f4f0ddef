use gridwright_primitives::operators::Less;
use gridwright_primitives::{self as primitives, Error, SortOrder, Workspace};

use crate::devices;
use crate::instances::{ByFirst, Mine};
use crate::sort::numbers;

#[test]
fn bounds_are_those_of_partition_point() {
    devices::each(|stream| {
        for len in [0, 1, 3, 1000] {
            let mut sorted: Vec<u32> = numbers(len).map(|x| x as u32 % 500).collect();
            sorted.sort_unstable();
            let needles: Vec<u32> = (0..600).collect();
            let (of_sorted, of_needles) = (stream.upload(&sorted).unwrap(), stream.upload(&needles).unwrap());
            let mut places = stream.alloc_zeroed::<u64>(600).unwrap();
            let p = primitives::on(stream);
            p.lower_bound(&of_needles, &of_sorted, Less, &mut places).unwrap();
            let expected = needles.iter().map(|needle| sorted.partition_point(|x| x < needle) as u64);
            assert!(stream.download(&places).unwrap().into_iter().eq(expected), "lower bounds in {len}");
            p.upper_bound(&of_needles, &of_sorted, Less, &mut places).unwrap();
            let expected = needles.iter().map(|needle| sorted.partition_point(|x| x <= needle) as u64);
            assert!(stream.download(&places).unwrap().into_iter().eq(expected), "upper bounds in {len}");
        }
    });
}

#[test]
fn bounds_are_by_any_comparison() {
    devices::each(|stream| {
        let sorted = stream.upload(&[[1_u32, 9, 9], [3, 9, 9], [3, 0, 0]]).unwrap();
        let needles = stream.upload(&[[3_u32, 5, 5], [4, 0, 0]]).unwrap();
        let mut places = stream.alloc_zeroed::<u64>(2).unwrap();
        let p = primitives::on(stream).with_kernels::<Mine>();
        p.lower_bound(&needles, &sorted, ByFirst, &mut places).unwrap();
        assert_eq!(stream.download(&places).unwrap(), [1, 3]);
    });
}

#[test]
fn the_first_in_an_order_are_found() {
    devices::each(|stream| {
        for (len, k) in [(1, 0), (1, 1), (100, 7), (20_000, 300), (20_000, 20_000)] {
            let x: Vec<u32> = numbers(len).map(|x| x as u32 % 1000).collect();
            let buffer = stream.upload(&x).unwrap();
            let (mut found, mut places) = (stream.alloc_zeroed(k).unwrap(), stream.alloc_zeroed(k).unwrap());
            for order in [SortOrder::ascending(), SortOrder::descending()] {
                primitives::on(stream).top_k(&buffer, order, &mut found, &mut places).unwrap();
                let mut expected: Vec<(u32, u32)> = x.iter().copied().zip(0..).collect();
                expected.sort_by_key(|(x, _)| if order == SortOrder::ascending() { *x } else { !x });
                expected.truncate(k);
                let (of_keys, of_places): (Vec<u32>, Vec<u32>) = expected.into_iter().unzip();
                assert!(stream.download(&found).unwrap() == of_keys, "{k} of {len}");
                assert!(stream.download(&places).unwrap() == of_places, "the places of {k} of {len}");
            }
            let error = primitives::on(stream)
                .top_k(&stream.upload(&[1_u32; 0]).unwrap(), SortOrder::ascending(), &mut found, &mut places)
                .map_err(|error| matches!(error, Error::Limit { most: 0, .. }));
            assert_eq!(error, if k == 0 { Ok(()) } else { Err(true) });
        }
    });
}

#[test]
fn pairs_in_segments_are_sorted_stably() {
    devices::each_way(|p| {
        let stream = p.stream();
        for len in [0, 1, 700, 12_000] {
            let host: Vec<u32> = numbers(len).map(|x| x as u32 % 64).collect();
            for offsets in
                [vec![], vec![0, 5, 5, len as u32 / 2, len as u32], (3..50).map(|i| 11 * i).collect()]
            {
                let offsets: Vec<u32> = offsets.into_iter().map(|offset| offset.min(len as u32)).collect();
                let mut keys = stream.upload(&host).unwrap();
                let mut values = stream.upload(&(0..len as u32).collect::<Vec<_>>()).unwrap();
                let bounds = stream.upload(&offsets).unwrap();
                p.sort_segments_pairs(&mut keys, &mut values, &bounds, SortOrder::descending()).unwrap();
                let mut expected: Vec<(u32, u32)> = host.iter().copied().zip(0..).collect();
                for ends in [vec![0], offsets, vec![len as u32]].concat().windows(2) {
                    let (start, end) = (ends[0] as usize, ends[1] as usize);
                    expected[start..end.max(start)].sort_by_key(|(key, _)| !key);
                }
                let found =
                    stream.download(&keys).unwrap().into_iter().zip(stream.download(&values).unwrap());
                assert!(found.eq(expected), "{len}");
            }
        }
        let (mut keys, mut short) =
            (stream.alloc_zeroed::<u32>(3).unwrap(), stream.alloc_zeroed::<u32>(2).unwrap());
        let bounds = stream.upload(&[0_u32, 3]).unwrap();
        let error =
            p.sort_segments_pairs(&mut keys, &mut short, &bounds, SortOrder::ascending()).unwrap_err();
        assert!(matches!(error, Error::Lengths { what: "the values", expected: 3, given: 2 }), "{error}");
    });
}

#[test]
fn pairs_in_segments_are_sorted_in_a_workspace() {
    devices::each(|stream| {
        let host: Vec<u32> = numbers(20_000).map(|x| x as u32).collect();
        let (mut keys, mut values) = (stream.upload(&host).unwrap(), stream.upload(&host).unwrap());
        let bounds = stream.upload(&[0_u32, 9000, 20_000]).unwrap();
        let order = SortOrder::ascending();
        let workspace =
            Workspace::for_calls(stream, |p| p.sort_segments_pairs(&mut keys, &mut values, &bounds, order))
                .unwrap();
        assert!(stream.download(&keys).unwrap() == host, "a call that is measured doesn't run");
        let p = primitives::on(stream).in_workspace(&workspace);
        p.sort_segments_pairs(&mut keys, &mut values, &bounds, order).unwrap();
        let keys_found = stream.download(&keys).unwrap();
        assert!(keys_found[..9000].is_sorted() && keys_found[9000..].is_sorted());
        assert!(stream.download(&values).unwrap() == keys_found);
        let small = Workspace::new(stream, workspace.bytes() - 64).unwrap();
        let call = primitives::on(stream).in_workspace(&small);
        let error = call.sort_segments_pairs(&mut keys, &mut values, &bounds, order).unwrap_err();
        assert!(matches!(error, Error::Workspace { .. }), "{error}");
    });
}

#[test]
fn segments_are_sorted() {
    devices::each(|stream| {
        let host: Vec<u32> = numbers(12_000).map(|x| x as u32).collect();
        for offsets in
            [vec![], vec![0, 12_000], vec![0, 5, 5, 5000, 12_000], (0..=100).map(|i| 120 * i).collect()]
        {
            let mut keys = stream.upload(&host).unwrap();
            let of_offsets = stream.upload::<u32>(&offsets).unwrap();
            primitives::on(stream).sort_segments(&mut keys, &of_offsets, SortOrder::descending()).unwrap();
            let mut expected = host.clone();
            for ends in [vec![0], offsets, vec![12_000]].concat().windows(2) {
                expected[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(|key| !key);
            }
            assert!(stream.download(&keys).unwrap() == expected);
        }
    });
}
