//! Rows and columns of matrices.

use gridwright::memory::BufferSliceMut;
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::rows::BLOCK;
use crate::source::{Fused, Source};
use crate::{Error, Input, MatrixVector, Primitives, ReduceRows, cpu};

/// The item of an input.
type Item<'b, I> = <<I as Input<'b>>::Source as Source>::Item;

impl<K> Primitives<'_, K> {
    /// The elements of each row combined by an operator, which is associative and commutative. The input is a matrix, row after row, of as many rows
    /// as `results` has elements; of rows without elements each is `neutral`.
    ///
    /// - Time: *n* operations; each element is read once. A row is a group's: many columns are best.
    /// - Workspace: none.
    /// - Deterministic: elements are combined in an order that depends on the columns and on the device's kind alone.
    ///
    /// # Errors
    /// [`Error::Lengths`] where the input isn't whole rows, and those of the input and of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Add;
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let matrix = stream.upload(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let (mut rows, mut cols) = (stream.alloc_zeroed(2)?, stream.alloc_zeroed(3)?);
    /// let p = primitives::on(&stream);
    /// p.reduce_rows(&matrix, 0.0, Add, &mut rows)?;
    /// p.reduce_cols(&matrix, 0.0, Add, &mut cols)?;
    /// assert_eq!(stream.download(&rows)?, [6.0, 15.0]);
    /// assert_eq!(stream.download(&cols)?, [5.0, 7.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::DeviceSegmentedReduce` with offsets that are multiples.
    pub fn reduce_rows<'b, 'o, I, O>(
        &self,
        input: I,
        neutral: Item<'b, I>,
        operator: O,
        results: impl Into<BufferSliceMut<'o, Item<'b, I>>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<(Item<'b, I>, Item<'b, I>), Output = Item<'b, I>>,
        K: ReduceRows<I::Source, O>,
    {
        let results = results.into();
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        let (rows, cols) = (results.len(), each_of(len, results.len())?);
        if self.is_measured() || rows == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, results, move |workers, input, results| {
                // SAFETY: the input has as many rows of so many elements.
                unsafe {
                    cpu::reduce_rows(workers, input, cols, neutral, |a, b| operator.call((a, b)), results);
                };
            });
        }
        let arguments = (source, operator, neutral, cols, a, b, c, results);
        // SAFETY: the input has a row of so many elements for each group.
        unsafe { self.launch::<K::Rows, _, _>(LaunchConfig::grid(rows, BLOCK), arguments) }
    }

    /// The elements of each column combined by an operator, as by [`reduce_rows`](Self::reduce_rows). `results` has an element for each
    /// column.
    ///
    /// - Time: *n* operations; each element is read once. A column is a thread's: many columns are best.
    /// - Workspace: none.
    /// - Deterministic: elements are combined from the first row to the last.
    ///
    /// # Errors
    /// [`Error::Lengths`] where the input isn't whole rows, and those of the input and of a launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # use gridwright_primitives::operators::Add;
    /// # let stream = Device::cpu()?.stream()?;
    /// let matrix = stream.upload(&[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let mut cols = stream.alloc_zeroed(2)?;
    /// primitives::on(&stream).reduce_cols(&matrix, 0.0, Add, &mut cols)?;
    /// assert_eq!(stream.download(&cols)?, [4.0, 6.0]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub fn reduce_cols<'b, 'o, I, O>(
        &self,
        input: I,
        neutral: Item<'b, I>,
        operator: O,
        results: impl Into<BufferSliceMut<'o, Item<'b, I>>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        O: Operator<(Item<'b, I>, Item<'b, I>), Output = Item<'b, I>>,
        K: ReduceRows<I::Source, O>,
    {
        let results = results.into();
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        let (cols, rows) = (results.len(), each_of(len, results.len())?);
        if self.is_measured() || cols == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            return self.on_cpu(Ready { len, source, a, b, c }, results, move |workers, input, results| {
                // SAFETY: the input has as many rows of so many elements.
                unsafe {
                    cpu::reduce_columns(workers, input, rows, neutral, |a, b| operator.call((a, b)), results);
                };
            });
        }
        let arguments = (source, operator, neutral, rows, a, b, c, results);
        // SAFETY: the input has as many rows, of an element for each of the results.
        unsafe { self.launch::<K::Cols, _, _>(LaunchConfig::threads(cols), arguments) }
    }

    /// The product of a matrix and a vector, by any multiplication and addition: `y[row] = sum of multiply(matrix[row, col], x[col])`.
    ///
    /// - Time: rows × cols operations; each element of the matrix is read once. A row is a group's: many columns are best.
    /// - Workspace: none.
    /// - Deterministic: elements are combined in an order that depends on the columns and on the device's kind alone.
    ///
    /// # Errors
    /// [`gridwright::Error::Requirement`] where the lengths don't fit the matrix, [`Error::Lengths`] on the CPU, and those of a launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::{Add, Multiply};
    ///
    /// # fn main() -> Result<(), primitives::Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let matrix = stream.upload_matrix(2, 2, &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let (x, mut y) = (stream.upload(&[10.0_f32, 1.0])?, stream.alloc_zeroed(2)?);
    /// primitives::on(&stream).matrix_vector(&matrix, &x, 0.0, Multiply, Add, &mut y)?;
    /// assert_eq!(stream.download(&y)?, [12.0, 34.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cublasSgemv`, without the scales.
    pub fn matrix_vector<T, M, A>(
        &self,
        matrix: &MatrixBuffer<T>,
        x: &Buffer<T>,
        zero: T,
        multiply: M,
        add: A,
        y: &mut Buffer<T>,
    ) -> Result<(), Error>
    where
        T: KernelArg,
        M: Operator<(T, T), Output = T>,
        A: Operator<(T, T), Output = T>,
        K: MatrixVector<T, M, A>,
    {
        let (rows, cols) = (matrix.rows(), matrix.cols());
        for (what, expected, given) in [("the vector", cols, x.len()), ("the result", rows, y.len())] {
            if expected != given {
                return Err(Error::Lengths { what, expected, given });
            }
        }
        if self.is_measured() || rows == 0 {
            return Ok(());
        }
        if self.is_cpu() {
            let elements = matrix.slice_rows(..)?;
            self.stream.on_cpu((elements, x, y), move |workers, (elements, x, y)| {
                let multiply = |a, b| multiply.call((a, b));
                // SAFETY: the matrix has as many rows as `y` has elements, each of `x`'s length.
                unsafe {
                    cpu::matrix_vector(*workers, elements, x, zero, multiply, |a, b| add.call((a, b)), y);
                };
            })?;
            return Ok(());
        }
        let kernel = Kernel::<K::Rows>::load(self.stream.device())?;
        let arguments = (multiply, add, zero, matrix, x, y);
        Ok(kernel.launch(self.stream, LaunchConfig::grid(rows, BLOCK), arguments)?)
    }
}

/// How many of `len` elements each of `parts` has.
fn each_of(len: usize, parts: usize) -> Result<usize, Error> {
    match len.checked_div(parts) {
        Some(each) if each * parts == len => Ok(each),
        None if len == 0 => Ok(0),
        _ => {
            let expected = len.next_multiple_of(parts.max(1));
            Err(Error::Lengths {
                what: "a matrix of as many rows or columns as there are results",
                expected,
                given: len,
            })
        }
    }
}
