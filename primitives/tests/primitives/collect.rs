use gridwright::Error as GridwrightError;
use gridwright_primitives::{self as primitives, Error, Input, counting};

use crate::devices;

#[test]
fn numbers_and_gathers_are_written() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        for len in [0, 1, 1023, 1024, 1025, 5000] {
            let mut numbers = stream.alloc_zeroed(len).unwrap();
            p.collect_into(counting(7).take(len), &mut numbers).unwrap();
            assert_eq!(stream.download(&numbers).unwrap(), (7..7 + len as u64).collect::<Vec<_>>());

            let values: Vec<u32> = (0..100).map(|i| i * i).collect();
            let indices: Vec<u32> = (0..len as u32).map(|i| i * 7 % 100).collect();
            let (on_device, at) = (stream.upload(&values).unwrap(), stream.upload(&indices).unwrap());
            let mut found = stream.alloc_zeroed(len).unwrap();
            p.gather(&on_device, &at, &mut found).unwrap();
            let expected: Vec<_> = indices.iter().map(|&i| values[i as usize]).collect();
            assert_eq!(stream.download(&found).unwrap(), expected);
        }
    });
}

#[test]
fn another_length_is_an_error_and_nothing_is_written() {
    devices::each(|stream| {
        let mut numbers = stream.alloc_zeroed(3).unwrap();
        let error = primitives::on(stream).collect_into(counting(1).take(4), &mut numbers).unwrap_err();
        assert!(matches!(error, Error::Lengths { expected: 4, given: 3, .. }), "{error}");
        assert!(matches!(
            primitives::on(stream).collect_into(counting(1), &mut numbers).unwrap_err(),
            Error::Endless
        ));
        assert_eq!(stream.download(&numbers).unwrap(), [0; 3]);
    });
}

#[test]
fn an_index_beyond_the_values_is_a_panic_that_the_next_wait_gives() {
    devices::each(|stream| {
        let (values, indices) = (stream.upload(&[1_u32, 2]).unwrap(), stream.upload(&[0_u32, 2]).unwrap());
        let mut found = stream.alloc_zeroed(2).unwrap();
        primitives::on(stream).gather(&values, &indices, &mut found).unwrap();
        let error = stream.synchronize().unwrap_err();
        assert!(matches!(error, GridwrightError::KernelPanic { .. } | GridwrightError::HostPanic { .. }));
        assert!(error.to_string().contains("beyond the last element"), "{error}");
    });
}
