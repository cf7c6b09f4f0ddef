use super::{Order, Side};
use crate::arch::{self, GroupShape};
use crate::{
    Accumulator, FactorShape, FragmentSource, FragmentTarget, InPhase, MatrixA, MatrixB, Product, SumShape,
    Warp,
};

/// Operations of matrix units, each of the whole warp, which has to be a full one.
///
/// How accurate a product is depends on the device, but for integers: NVIDIA's units add the products of a block with at
/// least the precision of the sum, in an order of their own, and cut what doesn't fit rather than round it; the
/// others round each sum. The error of `k` products is at most `2·k·ε` times the sum of their magnitudes, ε being 2⁻²³ for `f32`,
/// 2⁻¹⁰ for `f16` and 2⁻⁵² for `f64`.
///
/// A thread that panicked has ended. What the others' fragments hold after the next product is then not known; the launch
/// ends with the panic's error.
impl<S: GroupShape> Warp<'_, S> {
    /// Adds the product of the fragments `a` and `b` to an accumulator.
    ///
    /// It is `mma.sync` on NVIDIA, `v_mfma` on CDNA 3 and 4, and `v_wmma` on RDNA 3, which has none for TF32 and `f64`.
    /// Where there is no such instruction, the product is computed in software.
    ///
    /// # Panics
    /// In a warp that isn't full.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::{Accumulator, MatrixA, MatrixB};
    /// fn add_product<S: GroupShape>(w: &Warp<'_, S>, a: MatrixA<f64, 16, 4>, b: MatrixB<f64, 4, 16>) {
    ///     let mut sums = Accumulator::filled(0.0);
    ///     w.multiply_add(&a, &b, &mut sums);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::mma_sync`.
    #[inline(always)]
    #[track_caller]
    pub fn multiply_add<T, A, const M: usize, const N: usize, const K: usize>(
        &self,
        a: &MatrixA<T, M, K>,
        b: &MatrixB<T, K, N>,
        sums: &mut Accumulator<A, M, N>,
    ) where
        T: FactorShape<M, K> + FactorShape<N, K> + Product<A, M, N, K>,
        A: SumShape<M, N>,
    {
        self.check_full();
        // SAFETY: called at warp level, by a full warp.
        unsafe {
            arch::multiply_add::<S, T, A>(&self.context, &a.registers, &b.registers, &mut sums.registers);
        };
    }

    /// Loads an accumulator of `M` rows and `N` columns, which begin at a row and a column of memory. Elements beyond
    /// the edge of a matrix are zero.
    ///
    /// # Panics
    /// As for [`load_a`](Self::load_a).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::Accumulator;
    /// fn start_with_bias<S: GroupShape>(w: &Warp<'_, S>, bias: &Matrix<f32>) {
    ///     let sums: Accumulator<f32, 16, 16> = w.load_accumulator(bias, 0, 0);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::load_matrix_sync`, which takes whole blocks only.
    #[inline(always)]
    #[track_caller]
    pub fn load_accumulator<A, F, const M: usize, const N: usize>(
        &self,
        memory: &F,
        row: usize,
        col: usize,
    ) -> Accumulator<A, M, N>
    where
        A: SumShape<M, N>,
        F: FragmentSource<A>,
    {
        self.check_full();
        memory.check(row, col, M, N);
        let filled = A::filled(bytemuck::Zeroable::zeroed());
        let registers = arch::map_places::<S, A>(&self.context, filled, |r, c, _| {
            // SAFETY: the block was just checked.
            unsafe { memory.element(row.saturating_add(r), col.saturating_add(c)) }
        });
        if F::IS_THE_WARPS {
            self.context.end(crate::Access::Read);
        }
        Accumulator { registers }
    }

    /// Applies `change` to the row, the column and the value of each element of an accumulator, and gives the results
    /// as an accumulator.
    ///
    /// # Panics
    /// In a warp that isn't full.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::Accumulator;
    /// fn add_bias<S: GroupShape>(w: &Warp<'_, S>, sums: Accumulator<f32, 16, 16>, bias: &[f32]) {
    ///     let sums = w.map_accumulator(&sums, |_, col, sum| sum + bias[col]);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn map_accumulator<A, const M: usize, const N: usize>(
        &self,
        sums: &Accumulator<A, M, N>,
        change: impl Fn(usize, usize, A) -> A + InPhase,
    ) -> Accumulator<A, M, N>
    where
        A: SumShape<M, N>,
    {
        self.check_full();
        Accumulator { registers: arch::map_places::<S, A>(&self.context, sums.registers, change) }
    }

    /// Writes an accumulator to memory of the warp, from a row and a column on. Elements beyond the edge of a matrix
    /// aren't written.
    ///
    /// # Panics
    /// Where the block isn't in the memory, and in a warp that isn't full.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::Accumulator;
    /// #[gpu_kernel(block = 128)]
    /// fn fill_with_ones(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<32, 32>>) {
    ///     g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
    ///         let sums = Accumulator::<f32, 16, 16>::filled(1.0);
    ///         w.store_accumulator(&sums, &mut tile, 0, 0);
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::store_matrix_sync`, which takes whole blocks only.
    #[inline(always)]
    #[track_caller]
    pub fn store_accumulator<A, F, const M: usize, const N: usize>(
        &self,
        sums: &Accumulator<A, M, N>,
        memory: &mut F,
        row: usize,
        col: usize,
    ) where
        A: SumShape<M, N>,
        F: FragmentTarget<A>,
    {
        self.check_full();
        memory.check(row, col, M, N);
        self.context.begin(F::ACCESS);
        // SAFETY: the block was just checked.
        let write = |r: usize, c: usize, value| unsafe { memory.write(row + r, col + c, value) };
        arch::each_place::<S, A>(&self.context, sums.registers, write);
        self.context.end(F::ACCESS);
    }

    #[inline(always)]
    #[track_caller]
    fn load_factor<T, F>(
        &self,
        side: Side,
        order: Order,
        memory: &F,
        [row, col]: [usize; 2],
        [rows, cols]: [usize; 2],
    ) -> T::Registers
    where
        T: crate::Factor + arch::InRegisters,
        F: FragmentSource<T::Memory>,
    {
        memory.check(row, col, rows, cols);
        self.check_full();
        // SAFETY: called at warp level, by a full warp; the block was checked.
        let registers = unsafe { arch::load_factor::<S, T, F>(&self.context, side, order, memory, row, col) };
        if F::IS_THE_WARPS {
            self.context.end(crate::Access::Read);
        }
        registers
    }

    /// # Panics
    /// If some of its threads aren't there, and in a tile of a warp.
    #[inline(always)]
    #[track_caller]
    fn check_full(&self) {
        let (len, size) = (self.len(), arch::warp_size());
        if len != size {
            not_full(len, size);
        }
    }
}

/// Methods that load a block of memory into a fragment of a factor.
macro_rules! loads {
    ($(
        $(#[$attribute:meta])*
        $name:ident -> $matrix:ident<$rows:ident, $cols:ident>, $shape:ident<$lines:ident, $k:ident>, $side:expr, $order:expr;
    )*) => {
        impl<S: GroupShape> Warp<'_, S> {$(
            $(#[$attribute])*
            #[inline(always)]
            #[track_caller]
            pub fn $name<T, F, const $rows: usize, const $cols: usize>(
                &self,
                memory: &F,
                row: usize,
                col: usize,
            ) -> $matrix<T, $rows, $cols>
            where
                T: $shape<$lines, $k>,
                F: FragmentSource<T::Memory>,
            {
                let block = if $order == Order::Along { [$lines, $k] } else { [$k, $lines] };
                $matrix { registers: self.load_factor::<T, F>($side, $order, memory, [row, col], block) }
            }
        )*}
    };
}

loads! {
    /// Loads `M` rows and `K` columns of the factor A, which begin at a row and a column of memory.
    ///
    /// Beyond the edge of a matrix are zeros. From `Workgroup<[[E; N]; M]>` it is fastest if a row has a multiple of 16 bytes
    /// and `col` is at one, and if eight rows of 16 bytes lie in different banks: where a row has 16 more bytes than a multiple of 32.
    ///
    /// # Panics
    /// Where the block isn't in workgroup memory, and in a warp that isn't full.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::matrix::{Accumulator, MatrixA, MatrixB};
    ///
    /// fn multiply_rows<S: GroupShape>(
    ///     w: &Warp<'_, S>,
    ///     a: &Workgroup<[[i8; 48]; 16]>,
    ///     b: &Workgroup<[[i8; 48]; 16]>,
    /// ) {
    ///     let mut sums = Accumulator::<i32, 16, 16>::filled(0);
    ///     let a: MatrixA<i8, 16, 32> = w.load_a(a, 0, 0);
    ///     let b: MatrixB<i8, 32, 16> = w.load_b_transposed(b, 0, 0); // a row of memory is a column of B
    ///     w.multiply_add(&a, &b, &mut sums);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::load_matrix_sync` of a row-major fragment, or `ldmatrix`.
    load_a -> MatrixA<M, K>, FactorShape<M, K>, Side::A, Order::Along;

    /// Loads the factor A from memory that holds the columns of A as rows: `K` rows and `M` columns of memory.
    ///
    /// # Panics
    /// As for [`load_a`](Self::load_a).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::{MatrixA, Tf32};
    /// fn load_transposed_block<S: GroupShape>(w: &Warp<'_, S>, a_transposed: &Matrix<f32>) {
    ///     let a: MatrixA<Tf32, 16, 8> = w.load_a_transposed(a_transposed, 0, 0);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::load_matrix_sync` of a `wmma::col_major` fragment.
    load_a_transposed -> MatrixA<M, K>, FactorShape<M, K>, Side::A, Order::Across;

    /// Loads `K` rows and `N` columns of the factor B, which begin at a row and a column of memory.
    ///
    /// # Panics
    /// As for [`load_a`](Self::load_a).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::{MatrixB, Tf32};
    /// fn load_b_block<S: GroupShape>(w: &Warp<'_, S>, b: &Matrix<f32>) {
    ///     let b: MatrixB<Tf32, 8, 16> = w.load_b(b, 0, 0);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::load_matrix_sync` of a row-major fragment.
    load_b -> MatrixB<K, N>, FactorShape<N, K>, Side::B, Order::Across;

    /// Loads the factor B from memory that holds the columns of B as rows: `N` rows and `K` columns of memory.
    ///
    /// # Panics
    /// As for [`load_a`](Self::load_a).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::MatrixB;
    /// fn load_transposed_block<S: GroupShape>(w: &Warp<'_, S>, b_transposed: &Matrix<f64>) {
    ///     let b: MatrixB<f64, 4, 16> = w.load_b_transposed(b_transposed, 0, 0);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `wmma::load_matrix_sync` of a `wmma::col_major` fragment, or `ldmatrix`.
    load_b_transposed -> MatrixB<K, N>, FactorShape<N, K>, Side::B, Order::Along;
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_full(len: usize, size: usize) -> ! {
    panic!("matrix units work for full warps, of {size} threads, and this one has {len}")
}
