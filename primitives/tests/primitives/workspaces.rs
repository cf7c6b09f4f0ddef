use gridwright::DeviceKind;
use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Equal, Less, Subtract};
use gridwright_primitives::{self as primitives, Error, SortOrder, Workspace};

use crate::devices;

#[test]
fn a_workspace_is_as_large_as_calls_ask_for_and_one_that_is_smaller_is_an_error() {
    devices::each(|stream| {
        let x = stream.upload(&vec![1_u32; 100_000]).unwrap();
        let places = stream.upload(&(0..100_000_u32).collect::<Vec<_>>()).unwrap();
        let mut y = stream.alloc_zeroed(100_000).unwrap();
        let workspace = Workspace::for_calls(stream, |p| {
            p.reduce(&x, 0, Add)?;
            p.scatter(&x, &places, &mut y)
        })
        .unwrap();
        // A bit for each place, but on the CPU, where what looks at them has its own.
        let least = if stream.device().kind() == DeviceKind::Cpu { 16 } else { 12_500 };
        assert!(workspace.bytes() >= least);
        assert_eq!(stream.download(&y).unwrap()[0], 0, "nothing runs while calls are looked at");

        let p = primitives::on(stream).in_workspace(&workspace);
        assert_eq!(p.reduce(&x, 0, Add).unwrap(), 100_000);
        p.scatter(&x, &places, &mut y).unwrap();
        assert_eq!(stream.download(&y).unwrap(), vec![1; 100_000]);

        let small = Workspace::new(stream, 0).unwrap();
        let error = primitives::on(stream).in_workspace(&small).scatter(&x, &places, &mut y).unwrap_err();
        assert!(matches!(error, Error::Workspace { needed: 16.., given: 0 }), "{error}");
    });
}

#[test]
fn calls_are_recorded_in_graphs() {
    devices::each(|stream| {
        let mut x = stream.upload(&vec![1_u32; 10_000]).unwrap();
        let mut sum = stream.alloc_zeroed(1).unwrap();
        let workspace = Workspace::new(stream, 1 << 12).unwrap();
        let graph = primitives::capture(stream, |stream| {
            primitives::on(stream).in_workspace(&workspace).reduce_into(&x, 0, Add, (&mut sum).into())
        })
        .unwrap();
        for value in [2, 3] {
            stream.fill(&mut x, value).unwrap();
            graph.launch(stream).unwrap();
            assert_eq!(stream.download(&sum).unwrap(), [10_000 * value]);
        }
    });
}

#[test]
fn nothing_runs_while_calls_are_looked_at() {
    devices::each(|stream| {
        let (x, offsets) = (stream.upload(&[1_u32, 1, 2]).unwrap(), stream.upload(&[0_u32, 3]).unwrap());
        let [mut y, mut z, mut w] = [(); 3].map(|()| stream.upload(&[7_u32; 3]).unwrap());
        let mut one = stream.upload(&[7_u32]).unwrap();
        let mut count = stream.upload(&[7_u64]).unwrap();
        Workspace::for_calls(stream, |p| {
            p.inclusive_scan(&x, Add, &mut y)?;
            p.exclusive_scan(&x, 0, Add, &mut y)?;
            p.unique_into(&x, Equal, &mut y, &mut count)?;
            p.run_lengths_into(&x, Equal, &mut z, &mut w, &mut count)?;
            p.adjacent_difference(&x, Subtract, &mut y)?;
            p.reduce_segments(&x, &offsets, 0, Add, &mut one)?;
            p.inclusive_scan_segments(&x, &offsets, Add, &mut y)?;
            p.reduce_into(&x, 0, Add, (&mut one).into())?;
            p.sort(&mut y)?;
            p.gather(&x, &offsets, y.slice_mut(..2)?)
        })
        .unwrap();
        for buffer in [&y, &z, &w] {
            assert_eq!(stream.download(buffer).unwrap(), [7; 3]);
        }
        assert_eq!(stream.download(&one).unwrap(), [7]);
        assert_eq!(stream.download(&count).unwrap(), [7]);
    });
}

/// The bytes of a call.
fn bytes(stream: &Stream, call: impl FnOnce(primitives::Primitives<'_>) -> Result<(), Error>) -> usize {
    Workspace::for_calls(stream, |p| call(*p)).unwrap().bytes()
}

#[test]
fn calls_take_the_bytes_that_their_pages_say() {
    /// The bytes of parts.
    fn parts(parts: &[usize]) -> usize {
        parts.iter().map(|bytes| bytes.next_multiple_of(64)).sum()
    }
    devices::each(|stream| {
        let kind = stream.device().kind();
        let on_gpu = |parts_of: &[usize]| if kind == DeviceKind::Cpu { 0 } else { parts(parts_of) };
        for len in [0, 1, 2048, 2049, 4096, 4097, 8064, 8065, 20_000, 100_000] {
            let x = stream.alloc_zeroed::<u32>(len).unwrap();
            let flags = stream.alloc_zeroed::<u8>(len).unwrap();
            let [mut y, mut z] = [(); 2].map(|()| stream.alloc_zeroed::<u32>(len).unwrap());
            let mut wide = stream.alloc_zeroed::<u64>(len).unwrap();
            let mut count = stream.alloc_zeroed(1).unwrap();
            // Of words, and of pairs of words.
            let (tiles, of_pairs) = (len.div_ceil(4096), len.div_ceil(2048));

            let reduce = bytes(stream, |p| p.reduce(&x, 0, Add).map(drop));
            let shares = len.div_ceil(8192);
            let groups = shares.div_ceil(shares.div_ceil(1024).max(1)).max(1);
            assert_eq!(reduce, on_gpu(&[4 * groups]), "reduce of {len}");
            let scan = bytes(stream, |p| p.inclusive_scan(&x, Add, &mut y));
            assert_eq!(scan, on_gpu(&[8 * (tiles + 1)]), "scan of {len}");
            let select = bytes(stream, |p| p.select_flagged_into(&x, &flags, &mut y, &mut count));
            assert_eq!(select, on_gpu(&[8 * (2 * of_pairs + 1)]), "select of {len}");
            let unique = bytes(stream, |p| p.unique_into(&x, Equal, &mut y, &mut count));
            assert_eq!(unique, on_gpu(&[8 * (2 * tiles + 1)]), "unique of {len}");
            let runs = bytes(stream, |p| p.run_lengths_into(&x, Equal, &mut y, &mut z, &mut count));
            assert_eq!(runs, on_gpu(&[8 * (3 * of_pairs + 1)]), "run lengths of {len}");
            let segments = bytes(stream, |p| p.inclusive_scan_segments(&x, &x, Add, &mut y));
            let expected = on_gpu(&[4 * len.div_ceil(32), 8 * (3 * of_pairs + 1)]);
            assert_eq!(segments, expected, "scan of segments of {len}");
            let scatter = bytes(stream, |p| p.scatter(&x, &x, &mut y));
            assert_eq!(scatter, parts(&[16]) + on_gpu(&[4 * len.div_ceil(32)]), "scatter of {len}");

            let in_tile = kind != DeviceKind::Cpu && len <= 8064;
            let sort = |digits: usize, size: usize| match kind {
                _ if in_tile => 0,
                DeviceKind::Cpu => parts(&[size * len]),
                DeviceKind::Hip => parts(&[size * len, 2048 * len.div_ceil(8064), 2048]),
                _ => parts(&[size * len, 1024 * digits * (len.div_ceil(8064) + 1) + 64]),
            };
            assert_eq!(bytes(stream, |p| p.sort(&mut y)), sort(4, 4), "sort of {len}");
            assert_eq!(bytes(stream, |p| p.sort(&mut wide)), sort(8, 8), "sort of {len} wide keys");
            let pairs = bytes(stream, |p| p.sort_pairs(&mut y, &mut z));
            let of_values = if in_tile { 0 } else { parts(&[4 * len]) };
            assert_eq!(pairs, sort(4, 4) + of_values, "sort of {len} pairs");
            let order = SortOrder::ascending();
            let segments = bytes(stream, |p| p.sort_segments_pairs(&mut y, &mut z, &x, order));
            let own = if kind == DeviceKind::Cpu { 0 } else { parts(&[4 * len; 3]) };
            assert_eq!(segments, pairs + own, "sort of pairs in segments of {len}");
            let merge = bytes(stream, |p| p.merge_sort(&mut y, Less));
            let alone = if kind == DeviceKind::Cpu { 1 } else { 2048 };
            assert_eq!(merge, if len <= alone { 0 } else { parts(&[4 * len]) }, "merge sort of {len}");
        }
    });
}
