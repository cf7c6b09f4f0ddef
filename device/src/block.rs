/// The size of a workgroup, as far as it is known when the kernel is compiled.
///
/// # Safety
/// The numbers are those of the launch's block.
pub unsafe trait Block: Copy + 'static {
    /// Number of the workgroup's axes that can have more than one thread.
    const AXES: usize;

    /// A block with the sizes that a launch has along x, y and z.
    fn of(sizes: [usize; 3]) -> Self;

    /// Numbers of the block's threads along x, y and z.
    fn sizes(self) -> [usize; 3];

    /// Sizes of the block along x, y and z, if they are known when the kernel is compiled.
    const SIZES: Option<[usize; 3]>;

    /// Whether the block's sizes are known when the kernel is compiled.
    const IS_FIXED: bool = Self::SIZES.is_some();

    /// Number of the block's threads, if it is known when the kernel is compiled.
    const THREADS: Option<usize> = match Self::SIZES {
        Some([x, y, z]) => Some(x * y * z),
        None => None,
    };
}

/// The block that a kernel declares with `block = …`.
#[derive(Clone, Copy, Debug)]
pub struct FixedBlock<const X: usize, const Y: usize, const Z: usize>;

/// A block whose sizes each launch chooses, of up to `AXES` axes.
#[derive(Clone, Copy, Debug)]
pub struct AnyBlock<const AXES: usize>([usize; 3]);

// SAFETY: the launcher refuses any other block.
unsafe impl<const X: usize, const Y: usize, const Z: usize> Block for FixedBlock<X, Y, Z> {
    const AXES: usize = if Z > 1 {
        3
    } else if Y > 1 {
        2
    } else {
        1
    };
    const SIZES: Option<[usize; 3]> = Some([X, Y, Z]);

    #[inline(always)]
    fn of(_: [usize; 3]) -> Self {
        Self
    }

    #[inline(always)]
    fn sizes(self) -> [usize; 3] {
        [X, Y, Z]
    }
}

// SAFETY: the sizes are those given; beyond the kernel's axes the launcher allows one thread.
unsafe impl<const AXES: usize> Block for AnyBlock<AXES> {
    const AXES: usize = AXES;
    const SIZES: Option<[usize; 3]> = None;

    #[inline(always)]
    fn of(sizes: [usize; 3]) -> Self {
        Self(core::array::from_fn(|axis| if axis < AXES { sizes[axis] } else { 1 }))
    }

    #[inline(always)]
    fn sizes(self) -> [usize; 3] {
        core::array::from_fn(|axis| if axis < AXES { self.0[axis] } else { 1 })
    }
}
