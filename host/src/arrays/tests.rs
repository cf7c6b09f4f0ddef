use ndarray::{Array1, Array2, Array3, Axis, array, s};

use crate::{Device, Error, HostMemoryMut, Stream};

fn stream() -> Stream {
    Device::cpu().and_then(|device| device.stream()).unwrap()
}

#[test]
fn arrays_come_back_as_they_went() {
    let stream = stream();
    let one: Array1<f32> = Array1::linspace(0.0, 1.0, 7);
    assert_eq!(stream.download_array(&stream.upload_array(&one).unwrap()).unwrap(), one);
    let two = Array2::from_shape_fn((3, 4), |(row, col)| 10 * row as u32 + col as u32);
    assert_eq!(stream.download_array(&stream.upload_array(&two).unwrap()).unwrap(), two);
    let three = Array3::from_shape_fn((2, 3, 4), |(plane, row, col)| (100 * plane + 10 * row + col) as u64);
    let volume = stream.upload_array(&three.view()).unwrap();
    assert_eq!((volume.planes(), volume.rows(), volume.cols()), (2, 3, 4));
    assert_eq!(stream.download_array(&volume).unwrap(), three);
    let none = Array2::<f32>::zeros((0, 5));
    assert_eq!(stream.download_array(&stream.upload_array(&none).unwrap()).unwrap().shape(), [0, 5]);
}

#[test]
fn parts_in_order_are_taken_and_others_refused() {
    let stream = stream();
    let a = array![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    assert_eq!(stream.download(&stream.upload_array(&a.row(1)).unwrap()).unwrap(), [4, 5, 6]);
    assert_eq!(
        stream.download(&stream.upload_array(&a.slice(s![1.., ..])).unwrap()).unwrap(),
        [4, 5, 6, 7, 8, 9]
    );
    let error = stream.upload_array(&a.t()).unwrap_err();
    assert!(
        matches!(&error, Error::Strided { shape, strides, .. } if *shape == [3, 3] && *strides == [1, 3]),
        "{error}"
    );
    let error = stream.upload_array(&a.column(0)).unwrap_err();
    assert!(matches!(&error, Error::Strided { strides, .. } if *strides == [3]), "{error}");
    let mut reversed = array![1, 2, 3];
    reversed.invert_axis(Axis(0));
    let error = stream.upload_array(&reversed).unwrap_err();
    assert!(matches!(&error, Error::Strided { strides, .. } if *strides == [-1]), "{error}");
    assert_eq!(
        stream.download(&stream.upload_array(&reversed.as_standard_layout()).unwrap()).unwrap(),
        [3, 2, 1]
    );
}

#[test]
fn copies_are_of_the_same_shape() {
    let stream = stream();
    let mut matrix = stream.alloc_matrix_zeroed::<u32>(2, 3).unwrap();
    let error = stream.copy_from_array(&mut matrix, &Array2::ones((3, 2))).unwrap_err();
    assert!(
        matches!(&error, Error::ShapeMismatch { given, expected, .. } if *given == [3, 2] && *expected == [2, 3]),
        "{error}"
    );
    stream.copy_from_array(&mut matrix, &array![[1, 2, 3], [4, 5, 6]]).unwrap();
    let mut whole = Array2::<u32>::zeros((3, 3));
    stream.copy_to_array(&matrix, &mut whole.slice_mut(s![1.., ..])).unwrap();
    assert_eq!(whole, array![[0, 0, 0], [1, 2, 3], [4, 5, 6]]);
    let mut columns = Array2::<u32>::zeros((2, 4));
    let error = stream.copy_to_array(&matrix, &mut columns.slice_mut(s![.., ..3])).unwrap_err();
    assert!(matches!(error, Error::Strided { .. }), "{error}");
    assert_eq!(columns, Array2::<u32>::zeros((2, 4)));
}

#[test]
fn run_refuses_what_it_could_not_copy_back_before_the_launch() {
    let stream = stream();
    let mut a = Array2::<f32>::zeros((2, 3));
    let error = a.view_mut().reversed_axes().zeroed(&stream).unwrap_err();
    assert!(matches!(&error, Error::Strided { place: "run", shape, .. } if *shape == [3, 2]), "{error}");
    assert_eq!(a.view_mut().zeroed(&stream).unwrap().cols(), 3);
}
