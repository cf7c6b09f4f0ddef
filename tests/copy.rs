//! Copies between memory of one device.

#![allow(clippy::unwrap_used)]

use gridwright::Error;
use gridwright::memory::VolumePart;
use gridwright::prelude::*;

type Result = std::result::Result<(), Error>;

#[test]
fn all_kinds_of_memory_are_copied() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.upload(&[1, 2, 3, 4, 5, 6])?;
    let mut matrix = stream.alloc_matrix_zeroed(2, 3)?;
    stream.copy(&buffer, &mut matrix)?;
    assert_eq!(stream.download(&matrix)?, [1, 2, 3, 4, 5, 6]);
    let (mut low, high) = buffer.split_at_mut(3)?;
    stream.copy(&high, &mut low)?;
    assert_eq!(stream.download(&buffer)?, [4, 5, 6, 4, 5, 6]);
    stream.copy(&matrix, &mut buffer)?;
    assert_eq!(stream.download(&buffer)?, [1, 2, 3, 4, 5, 6]);
    stream.copy(&buffer.slice(..0)?, &mut stream.alloc_zeroed(0)?)
}

#[test]
fn other_lengths_and_two_of_another_device_are_refused() -> Result {
    let stream = Device::cpu()?.stream()?;
    let from = stream.upload(&[1, 2, 3])?;
    let mut to = stream.alloc_zeroed(2)?;
    let error = stream.copy(&from, &mut to).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { given: 3, expected: 2, .. }), "{error}");
    let elsewhere = Device::cpu()?.stream()?;
    let error = elsewhere.copy(&from, &mut stream.alloc_zeroed(3)?).unwrap_err();
    assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "copy, from"), "{error}");
    assert_eq!(stream.download(&to)?, [0, 0]);
    Ok(())
}

/// Elements of a box, as the host picks them out.
fn boxed(elements: &[u32], place: VolumePart, extents: [usize; 3]) -> Vec<u32> {
    let ([_, rows, cols], [plane, row, col]) = (place.sizes, place.starts);
    let mut picked = Vec::new();
    for p in plane..plane + extents[0] {
        for r in row..row + extents[1] {
            picked.extend((col..col + extents[2]).map(|c| elements[(p * rows + r) * cols + c]));
        }
    }
    picked
}

#[test]
fn boxes_of_all_shapes_are_copied() -> Result {
    let stream = Device::cpu()?.stream()?;
    let sizes = [3, 4, 5];
    let elements: Vec<u32> = (0..60).collect();
    let volume = stream.upload_volume(3, 4, 5, &elements)?;
    for starts in [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3], [1, 2, 3], [2, 3, 4]] {
        let rest = [0, 1, 2].map(|axis: usize| sizes[axis] - starts[axis]);
        for extents in [rest, [rest[0], 1, rest[2]], [1, rest[1], rest[2]], [rest[0], rest[1], 1]] {
            let place = VolumePart { sizes, starts };
            let mut packed = stream.alloc_zeroed(extents.iter().product())?;
            stream.copy_box(extents, &volume, place, &mut packed, VolumePart::whole(extents))?;
            let expected = boxed(&elements, place, extents);
            assert_eq!(stream.download(&packed)?, expected, "{starts:?} {extents:?}");
            let mut back = stream.alloc_volume_zeroed(3, 4, 5)?;
            stream.copy_box(extents, &packed, VolumePart::whole(extents), &mut back, place)?;
            let back = stream.download(&back)?;
            assert_eq!(boxed(&back, place, extents), expected, "{starts:?} {extents:?}");
            let sum: u32 = back.iter().sum();
            assert_eq!(
                sum,
                expected.iter().sum(),
                "{starts:?} {extents:?}: nothing beside the box is written"
            );
        }
    }
    Ok(())
}

#[test]
fn boxes_are_copied_in_each_replay_of_a_graph() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut matrix = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
    let mut column = stream.alloc_zeroed(2)?;
    let place = VolumePart { sizes: [1, 2, 3], starts: [0, 0, 1] };
    let graph = stream.capture(|stream| {
        stream.copy_box([1, 2, 1], &matrix, place, &mut column, VolumePart::whole([1, 2, 1]))
    })?;
    assert_eq!(stream.download(&column)?, [0, 0]);
    graph.launch(&stream)?;
    assert_eq!(stream.download(&column)?, [2, 5]);
    stream.fill(&mut matrix, 7)?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&column)?, [7, 7]);
    Ok(())
}

#[test]
fn boxes_beyond_their_memory_are_refused() -> Result {
    let stream = Device::cpu()?.stream()?;
    let matrix = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
    let mut column = stream.alloc_zeroed(2)?;
    let packed = VolumePart::whole([1, 2, 1]);
    let mut copy = |extents, sizes, starts, to| {
        stream.copy_box(extents, &matrix, VolumePart { sizes, starts }, &mut column, to).unwrap_err()
    };
    let error = copy([1, 2, 1], [1, 2, 4], [0, 0, 0], packed);
    assert!(matches!(error, Error::VolumeSize { cols: 4, len: 6, .. }), "{error}");
    let error = copy([1, 2, 1], [1, 2, 3], [0, 0, 3], packed);
    assert!(matches!(error, Error::OutOfRange { start: 3, end: 4, len: 3 }), "{error}");
    let error = copy([1, 2, 1], [1, 2, 3], [0, usize::MAX, 0], packed);
    assert!(matches!(error, Error::OutOfRange { len: 2, .. }), "{error}");
    let error = copy([1, 2, 2], [1, 2, 3], [0, 0, 0], packed);
    assert!(matches!(error, Error::OutOfRange { end: 2, len: 1, .. }), "{error}");
    // Nothing is copied, and that is fine.
    stream.copy_box([1, 0, 1], &matrix, VolumePart::whole([1, 2, 3]), &mut column, packed)?;
    assert_eq!(stream.download(&column)?, [0, 0]);
    let elsewhere = Device::cpu()?.stream()?;
    let mut foreign = elsewhere.alloc_zeroed(2)?;
    let place = VolumePart::whole([1, 2, 3]);
    let error = stream.copy_box([1, 2, 1], &matrix, place, &mut foreign, packed).unwrap_err();
    assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
    Ok(())
}
