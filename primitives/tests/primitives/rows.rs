use gridwright_primitives::operators::{Add, Multiply};
use gridwright_primitives::{self as primitives, Error};

use crate::devices;

#[test]
fn rows_and_columns_are_added_up() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        for (rows, cols) in [(0, 0), (1, 1), (3, 256), (5, 257), (300, 7), (2, 0)] {
            let x: Vec<f32> = (0..rows * cols).map(|i| (i % 13) as f32).collect();
            let input = stream.upload(&x).unwrap();
            let (mut of_rows, mut of_cols) =
                (stream.alloc_zeroed(rows).unwrap(), stream.alloc_zeroed(cols).unwrap());
            p.reduce_rows(&input, 0.0, Add, &mut of_rows).unwrap();
            p.reduce_cols(&input, 0.0, Add, &mut of_cols).unwrap();
            let at = |row: usize, col: usize| x[row * cols + col];
            let expected: Vec<f32> = (0..rows).map(|row| (0..cols).map(|col| at(row, col)).sum()).collect();
            assert_eq!(stream.download(&of_rows).unwrap(), expected, "rows of {rows} by {cols}");
            let expected: Vec<f32> = (0..cols).map(|col| (0..rows).map(|row| at(row, col)).sum()).collect();
            assert_eq!(stream.download(&of_cols).unwrap(), expected, "columns of {rows} by {cols}");
        }
        let input = stream.upload(&[1.0_f32; 5]).unwrap();
        let mut of_rows = stream.alloc_zeroed(2).unwrap();
        let error = p.reduce_rows(&input, 0.0, Add, &mut of_rows).unwrap_err();
        assert!(matches!(error, Error::Lengths { given: 5, .. }), "{error}");
    });
}

#[test]
fn a_matrix_times_a_vector() {
    devices::each(|stream| {
        let p = primitives::on(stream);
        for (rows, cols) in [(1, 1), (3, 256), (70, 300)] {
            let elements: Vec<f32> = (0..rows * cols).map(|i| (i % 5) as f32).collect();
            let x: Vec<f32> = (0..cols).map(|i| (i % 3) as f32).collect();
            let matrix = stream.upload_matrix(rows, cols, &elements).unwrap();
            let (dx, mut y) = (stream.upload(&x).unwrap(), stream.alloc_zeroed(rows).unwrap());
            p.matrix_vector(&matrix, &dx, 0.0, Multiply, Add, &mut y).unwrap();
            let expected: Vec<f32> =
                elements.chunks(cols).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
            assert_eq!(stream.download(&y).unwrap(), expected);
            let mut short = stream.alloc_zeroed(rows - 1).unwrap();
            let error = p.matrix_vector(&matrix, &dx, 0.0, Multiply, Add, &mut short).unwrap_err();
            assert!(matches!(error, Error::Lengths { .. }), "{error}");
        }
    });
}
