use gridwright::DeviceKind;
use gridwright_primitives::operators::Add;
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
