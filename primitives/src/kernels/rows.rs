//! Reduction of the rows and of the columns of matrices.

use gridwright::prelude::*;

use crate::source::{Fused, Source};

/// Threads of a group.
pub const BLOCK: usize = 256;

/// Reduces each row, by a group. Rows beyond the grid's groups are the first groups' too.
///
/// # Safety
/// The source has `cols` elements for each group, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_rows<S, O>(
    g: &Group,
    source: S,
    operator: O,
    neutral: <S as Source>::Item,
    cols: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut results: PerGroup<[<S as Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let first = g.index() * cols;
    let mut total = g.private(neutral);
    let mut col = 0;
    while col < cols {
        g.each(&mut total, |t, total| {
            let col = col + t.local().x;
            if col < cols {
                // SAFETY: the group's row is one of the matrix, and the column is inside.
                let x = unsafe { source.at(first + col, a, b, c) };
                *total = operator.call((*total, x));
            }
        });
        col += BLOCK;
    }
    results.set(g, g.reduce(&total, |a, b| operator.call((a, b))));
}

/// Reduces each column, by a thread.
///
/// # Safety
/// The source has `rows` elements for each of `results`, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, index = u64, cpu = off)]
pub unsafe fn reduce_cols<S, O>(
    g: &Group,
    source: S,
    operator: O,
    neutral: <S as Source>::Item,
    rows: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut results: PerThread<[<S as Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let cols = results.len();
    g.each(results.elements_mut(), |t, result| {
        let Some(result) = result else { return };
        let mut total = neutral;
        for row in 0..rows {
            // SAFETY: row and column are inside.
            let x = unsafe { source.at(row * cols + t.index(), a, b, c) };
            total = operator.call((total, x));
        }
        *result = total;
    });
}

/// y = A x, each row by a group.
#[gpu_kernel(cpu = off, block = BLOCK, requires = matrix.cols() == x.len() && matrix.rows() == y.len())]
pub fn matrix_vector<T, M, A>(
    g: &Group,
    multiply: M,
    add: A,
    zero: T,
    matrix: &Matrix<T>,
    x: &[T],
    mut y: PerGroup<[T]>,
) where
    T: KernelArg,
    M: Operator<(T, T), Output = T>,
    A: Operator<(T, T), Output = T>,
{
    let row = matrix.row(g.index());
    let mut sum = g.private(zero);
    let mut col = 0;
    while col < row.len() {
        g.each((&mut sum, row.elements_from(col), x.elements_from(col)), |_, (sum, a, x)| {
            if let (Some(a), Some(x)) = (a, x) {
                *sum = add.call((*sum, multiply.call((*a, *x))));
            }
        });
        col += BLOCK;
    }
    y.set(g, g.reduce(&sum, |a, b| add.call((a, b))));
}

kernel_trait! {
    /// What [`reduce_rows`](crate::Primitives::reduce_rows) and [`reduce_cols`](crate::Primitives::reduce_cols) launch for a source and an
    /// operator.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Max;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ReduceRows<Slice<f64>, Max> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait ReduceRows<S: Fused<Item: KernelArg>, O: Operator<(S::Item, S::Item), Output = S::Item>> {
        /// Reduces rows.
        type Rows = crate::kernels::rows::reduce_rows<S, O>;
        /// Reduces columns.
        type Cols = crate::kernels::rows::reduce_cols<S, O>;
    }
}

kernel_trait! {
    /// What [`matrix_vector`](crate::Primitives::matrix_vector) launches for a type and two operators.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Multiply};
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::MatrixVector<f64, Multiply, Add> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait MatrixVector<T: KernelArg, M: Operator<(T, T), Output = T>, A: Operator<(T, T), Output = T>> {
        /// Multiplies.
        type Rows = crate::kernels::rows::matrix_vector<T, M, A>;
    }
}
