use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use super::layout::is_row_major;
use super::*;
use crate::{Buffer, Device, Error, MatrixBuffer, Stream, VolumeBuffer};

fn stream() -> Stream {
    Device::cpu().and_then(|device| device.stream()).unwrap()
}

/// Another library's tensor, of numbers on the CPU. `alive` tells whether it was deleted.
struct Foreign {
    elements: Vec<f32>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    _alive: Arc<()>,
}

unsafe extern "C" fn delete(tensor: *mut VersionedTensor) {
    // SAFETY: `foreign` made it of two boxes.
    unsafe { drop(Box::from_raw(Box::from_raw(tensor).context.cast::<Foreign>())) };
}

/// What `change` makes of a tensor of 2 x 3 numbers, and what is held as long as that is there.
fn foreign(change: impl FnOnce(&mut VersionedTensor)) -> (*mut VersionedTensor, Arc<()>) {
    let alive = Arc::new(());
    let elements = (0..6).map(|n| n as f32).collect();
    let mut tensor =
        Box::new(Foreign { elements, shape: vec![2, 3], strides: vec![3, 1], _alive: Arc::clone(&alive) });
    let raw = RawTensor {
        data: tensor.elements.as_mut_ptr().cast(),
        device: TensorDevice { kind: TensorDevice::CPU, index: 0 },
        dimensions: 2,
        data_type: DataType::of::<f32>().unwrap(),
        shape: tensor.shape.as_mut_ptr(),
        strides: tensor.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let mut versioned = VersionedTensor {
        version: TensorVersion { major: 1, minor: 7 },
        context: Box::into_raw(tensor).cast(),
        deleter: Some(delete),
        flags: 0,
        tensor: raw,
    };
    change(&mut versioned);
    (Box::into_raw(Box::new(versioned)), alive)
}

fn taken(tensor: *mut VersionedTensor) -> Result<Tensor, Error> {
    // SAFETY: `foreign` made it, and nobody else has it.
    unsafe { Tensor::from_raw_versioned(tensor) }
}

/// The error of an import of a changed tensor, after which the tensor is deleted.
fn refused<M: TensorMemory>(change: impl FnOnce(&mut VersionedTensor)) -> Error {
    let (tensor, alive) = foreign(change);
    let error = taken(tensor).and_then(|tensor| tensor.import::<M>(&stream()).map(drop)).unwrap_err();
    assert_eq!(Arc::strong_count(&alive), 1, "{error}: it isn't deleted");
    error
}

#[test]
fn an_imported_tensor_is_the_memory_itself_and_is_deleted_once() {
    let (tensor, alive) = foreign(|_| ());
    let tensor = taken(tensor).unwrap();
    let (stream, address) = (stream(), tensor.as_ptr());
    let mut matrix: MatrixBuffer<f32> = tensor.import(&stream).unwrap();
    assert_eq!((matrix.rows(), matrix.cols()), (2, 3));
    assert_eq!(matrix.place().pointer.as_ptr().cast_const().cast::<c_void>(), address);
    assert_eq!(stream.download(&matrix).unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    stream.fill(&mut matrix, 7.0).unwrap();
    // Out again, and seen there.
    let tensor = export(matrix).unwrap();
    assert_eq!(tensor.as_ptr(), address);
    assert_eq!(tensor.as_slice::<f32>().unwrap(), [7.0; 6]);
    assert_eq!(Arc::strong_count(&alive), 2);
    drop(tensor);
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn any_number_of_dimensions_makes_a_buffer() {
    let (tensor, _) = foreign(|_| ());
    let buffer: Buffer<f32> = taken(tensor).unwrap().import(&stream()).unwrap();
    assert_eq!(buffer.len(), 6);
    let (tensor, _) = foreign(|tensor| tensor.tensor.dimensions = 0);
    assert_eq!(taken(tensor).unwrap().import::<Buffer<f32>>(&stream()).unwrap().len(), 1);
}

#[test]
fn a_part_begins_at_its_offset() {
    let (tensor, _) = foreign(|tensor| {
        tensor.tensor.byte_offset = 12;
        // SAFETY: two sizes.
        unsafe { *tensor.tensor.shape = 1 };
    });
    assert_eq!(taken(tensor).unwrap().as_slice::<f32>().unwrap(), [3.0, 4.0, 5.0]);
}

#[test]
fn what_is_no_memory_of_the_device_is_refused_and_deleted() {
    let error = refused::<MatrixBuffer<u32>>(|_| ());
    assert!(
        matches!(&error, Error::ElementType { given, expected, .. } if given == "float32" && expected == "uint32"),
        "{error}"
    );
    let error = refused::<Buffer<f32>>(|tensor| tensor.tensor.data_type.lanes = 2);
    assert!(matches!(error, Error::ElementType { .. }), "{error}");
    let error = refused::<Buffer<[f32; 2]>>(|_| ());
    assert!(matches!(error, Error::ElementType { .. }), "{error}");
    let error = refused::<Buffer<f32>>(|tensor| tensor.tensor.device.kind = TensorDevice::CUDA);
    assert!(
        matches!(&error, Error::ForeignBuffer { buffer_device, .. } if buffer_device == "cuda:0"),
        "{error}"
    );
    // SAFETY: two strides.
    let error = refused::<Buffer<f32>>(|tensor| unsafe { *tensor.tensor.strides = 4 });
    assert!(
        matches!(&error, Error::Strided { shape, strides, .. } if *shape == [2, 3] && *strides == [4, 1]),
        "{error}"
    );
    // SAFETY: two strides.
    let error = refused::<Buffer<f32>>(|tensor| unsafe { *tensor.tensor.strides.add(1) = -1 });
    assert!(matches!(error, Error::Strided { .. }), "{error}");
    let error = refused::<VolumeBuffer<f32>>(|_| ());
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("2 dimensions")), "{error}");
    let error = refused::<Buffer<f32>>(|tensor| tensor.flags = VersionedTensor::READ_ONLY);
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("read-only")), "{error}");
    let error = refused::<Buffer<f32>>(|tensor| tensor.tensor.byte_offset = 2);
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("multiple of 4")), "{error}");
    let error = refused::<Buffer<f32>>(|tensor| tensor.tensor.data = null_mut());
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("null")), "{error}");
    // SAFETY: two sizes.
    let error = refused::<Buffer<f32>>(|tensor| unsafe { *tensor.tensor.shape = i64::MAX });
    assert!(
        matches!(&error, Error::Interop { reason, .. } if reason.contains("more than any memory")),
        "{error}"
    );
}

#[test]
fn what_is_no_tensor_is_refused_and_deleted() {
    let error = refused::<Buffer<f32>>(|tensor| tensor.version.major = 2);
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("DLPack 2.7")), "{error}");
    // SAFETY: two sizes.
    let error = refused::<Buffer<f32>>(|tensor| unsafe { *tensor.tensor.shape = -1 });
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("shape")), "{error}");
    let error = refused::<Buffer<f32>>(|tensor| tensor.tensor.dimensions = -1);
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("shape")), "{error}");
    assert!(matches!(taken(null_mut()), Err(Error::Interop { .. })));
    // SAFETY: null is what it may be.
    assert!(matches!(unsafe { Tensor::from_raw(null_mut()) }, Err(Error::Interop { .. })));
}

#[test]
fn a_read_only_tensor_can_be_read_and_not_told_of_in_the_older_struct() {
    let (tensor, alive) = foreign(|tensor| tensor.flags = VersionedTensor::READ_ONLY);
    let stream = stream();
    let buffer: ReadOnly<Buffer<f32>> = taken(tensor).unwrap().import_read_only(&stream).unwrap();
    assert_eq!(stream.download(&*buffer).unwrap()[5], 5.0);
    drop(buffer);
    assert_eq!(Arc::strong_count(&alive), 1);
    let (tensor, alive) = foreign(|tensor| tensor.flags = VersionedTensor::READ_ONLY);
    let error = taken(tensor).unwrap().into_raw().unwrap_err();
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("read-only")), "{error}");
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn both_structs_carry_a_tensor_there_and_back() {
    let (tensor, alive) = foreign(|_| ());
    let unversioned = taken(tensor).unwrap().into_raw().unwrap();
    // SAFETY: nobody else has it.
    let versioned = unsafe { Tensor::from_raw(unversioned) }.unwrap().into_raw_versioned();
    let tensor = taken(versioned).unwrap();
    assert_eq!(tensor.as_slice::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    drop(tensor);
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn a_tensor_of_nothing_has_no_address() {
    let stream = stream();
    let tensor = export(stream.alloc_matrix_zeroed::<f64>(0, 5).unwrap()).unwrap();
    assert_eq!((tensor.shape(), tensor.raw().data), (&[0, 5][..], null_mut()));
    let matrix: MatrixBuffer<f64> = tensor.import(&stream).unwrap();
    assert_eq!((matrix.rows(), matrix.cols()), (0, 5));
}

#[test]
fn memory_of_a_graph_or_of_other_elements_is_not_exported() {
    let stream = stream();
    let mut buffer = stream.alloc_zeroed::<u32>(4).unwrap();
    let graph = stream.capture(|stream| stream.fill(&mut buffer, 3)).unwrap();
    let error = export(buffer).unwrap_err();
    assert!(matches!(&error, Error::Interop { reason, .. } if reason.contains("graph")), "{error}");
    drop(graph);
    let error = export(stream.upload(&[[1_u32; 3]]).unwrap()).unwrap_err();
    assert!(matches!(error, Error::ElementType { .. }), "{error}");
}

#[test]
fn an_imported_buffer_stays_as_long_as_a_graph_uses_it() {
    let (tensor, alive) = foreign(|_| ());
    let stream = stream();
    let mut buffer: Buffer<f32> = taken(tensor).unwrap().import(&stream).unwrap();
    let graph = stream.capture(|stream| stream.fill(&mut buffer, 3.0)).unwrap();
    drop(buffer);
    assert_eq!(Arc::strong_count(&alive), 2);
    graph.launch(&stream).unwrap();
    drop(graph);
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn strides_of_single_elements_and_of_none_do_not_matter() {
    assert!(is_row_major(&[2, 3], &[3, 1]) && !is_row_major(&[2, 3], &[1, 2]));
    assert!(is_row_major(&[1, 3], &[77, 1]) && is_row_major(&[3, 1], &[1, -5]));
    assert!(is_row_major(&[0, 3], &[9, 9]) && is_row_major(&[], &[]));
    assert!(!is_row_major(&[2, usize::MAX, usize::MAX, 2], &[4, 2, 2, 1]));
}

#[test]
fn a_tensor_goes_to_another_thread() {
    let tensor = export(stream().upload(&[1_u8, 2, 3]).unwrap()).unwrap();
    let sum: u8 = std::thread::spawn(move || tensor.as_slice::<u8>().unwrap().iter().sum()).join().unwrap();
    assert_eq!(sum, 6);
}

#[test]
fn a_shared_tensor_is_freed_with_the_last_that_it_is_handed_out_as() {
    let (tensor, alive) = foreign(|tensor| tensor.flags = VersionedTensor::READ_ONLY);
    let shared = SharedTensor::new(taken(tensor).unwrap());
    assert!(matches!(shared.to_raw(), Err(Error::Interop { .. })));
    let (first, second) =
        (taken(shared.to_raw_versioned()).unwrap(), taken(shared.to_raw_versioned()).unwrap());
    assert!(first.is_read_only() && first.as_ptr() == shared.as_ptr());
    drop((first, shared));
    assert_eq!(second.as_slice::<f32>().unwrap()[1], 1.0);
    assert_eq!(Arc::strong_count(&alive), 2);
    drop(second);
    assert_eq!(Arc::strong_count(&alive), 1);
}
