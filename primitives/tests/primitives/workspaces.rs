use gridwright::DeviceKind;
use gridwright_primitives::operators::{Add, Equal, Subtract};
use gridwright_primitives::{self as primitives, Error, Workspace};

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
