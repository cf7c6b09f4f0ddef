use gridwright_primitives::{self as primitives, Error};

use crate::devices;

#[test]
fn elements_go_to_their_places() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        for len in [0_usize, 1, 1024, 3001] {
            let x: Vec<u32> = (0..len as u32).map(|i| i + 100).collect();
            let places: Vec<u32> = (0..len).map(|i| (i * 1013 % len.max(1) * 2) as u32).collect();
            let input = stream.upload(&x).unwrap();
            let mut output = stream.alloc_zeroed(2 * len).unwrap();
            p.scatter(&input, &stream.upload(&places).unwrap(), &mut output).unwrap();
            let mut expected = vec![0; 2 * len];
            places.iter().zip(&x).for_each(|(&place, &x)| expected[place as usize] = x);
            assert_eq!(stream.download(&output).unwrap(), expected);
        }
    });
}

#[test]
fn places_that_are_no_permutation_are_errors_and_nothing_is_written() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        let x = stream.upload(&[1_u32, 2, 3]).unwrap();
        let mut output = stream.alloc_zeroed(3).unwrap();
        let mut scatter =
            |places: &[u32]| p.scatter(&x, &stream.upload(places).unwrap(), &mut output).unwrap_err();
        assert!(matches!(scatter(&[2, 1, 2]), Error::Repeated { index: 2 }));
        assert!(matches!(scatter(&[0, 3, 7]), Error::Index { at: 1, len: 3 }));
        assert!(matches!(scatter(&[0, 1]), Error::Lengths { expected: 3, given: 2, .. }));
        assert_eq!(stream.download(&output).unwrap(), [0; 3]);
    });
}
