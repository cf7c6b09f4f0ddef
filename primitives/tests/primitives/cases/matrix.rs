//! Rows and columns of matrices.

use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Min, Multiply};
use gridwright_primitives::source::Slice;
use gridwright_primitives::{MatrixVector, ReduceRows, Standard};

use super::Run;
use super::case::Case;
use super::element::{Exact, Number, Values};
use super::on_cpu::OnCpu;
use super::part::Part;

pub(super) const ANYWHERE: &[Run] = &[lines::<f32, Add, Standard>, product::<f32, Standard>];

pub(super) const ON_CPU: &[Run] =
    &[lines::<f64, Min, OnCpu>, lines::<u16, Add, OnCpu>, product::<i32, OnCpu>];

/// Rows and columns of a matrix that isn't large.
fn shape(case: &mut Case<'_>) -> (usize, usize) {
    let [few, more] = [case.below(40), case.one_of(&[0, 1, 31, 32, 33, 255, 256, 257, 700])];
    let (rows, cols) = if case.once_in(2) { (few, more) } else { (more, few) };
    case.note(format_args!("{rows} rows of {cols}"));
    (rows as usize, cols as usize)
}

fn lines<T: Number, O: Exact<T>, K: ReduceRows<Slice<T>, O>>(case: &mut Case<'_>) {
    case.note(format_args!("lines by {:?}", O::THIS));
    let (rows, cols) = shape(case);
    let x = O::draw(case, rows * cols);
    let input = Part::of(case, &x);
    let fold = |line: &mut dyn Iterator<Item = T>| line.fold(O::neutral(), O::combine);
    let (op, neutral) = (O::THIS, O::neutral());
    if case.once_in(2) {
        let mut out = Part::with_room(case, rows);
        case.run::<K, _>(|p| p.reduce_rows(input.view(), neutral, op, out.view_mut()));
        let row = |row| fold(&mut x[row * cols..][..cols].iter().copied());
        out.check(case, "the rows", &(0..rows).map(row).collect::<Vec<T>>());
    } else {
        let mut out = Part::with_room(case, cols);
        case.run::<K, _>(|p| p.reduce_cols(input.view(), neutral, op, out.view_mut()));
        let col = |col| fold(&mut (0..rows).map(|row| x[row * cols + col]));
        out.check(case, "the columns", &(0..cols).map(col).collect::<Vec<T>>());
    }
}

fn product<T: Number, K: MatrixVector<T, Multiply, Add>>(case: &mut Case<'_>)
where
    Multiply: Operator<(T, T), Output = T>,
    Add: Operator<(T, T), Output = T>,
{
    case.note("a matrix times a vector");
    let (rows, cols) = shape(case);
    let (m, x): (Vec<T>, Vec<T>) =
        (case.numbers(rows * cols, Values::Small), case.numbers(cols, Values::Small));
    let matrix = case.stream.upload_matrix(rows, cols, &m).unwrap();
    let (vector, mut y) = (case.stream.upload(&x).unwrap(), case.stream.alloc_zeroed(rows).unwrap());
    let zero = T::default();
    case.run::<K, _>(|p| p.matrix_vector(&matrix, &vector, zero, Multiply, Add, &mut y));
    let row = |row: usize| {
        let terms = m[row * cols..][..cols].iter().zip(&x).map(|(a, x)| a.times(*x));
        // Zeros' sign is that of the order in which they are added.
        terms.fold(zero, T::plus).plus(zero)
    };
    let found: Vec<T> = case.stream.download(&y).unwrap().into_iter().map(|y| y.plus(zero)).collect();
    case.compare("the product", &found, &(0..rows).map(row).collect::<Vec<T>>());
}
