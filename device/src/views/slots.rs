use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::view::{too_few_slots, too_small};
use crate::arch::Identity;
use crate::element::ArrayElement;

/// The shapes of workgroup memory: `[T]`, `[T; N]`, `[[T; N]; M]` and `[[[T; N]; M]; L]`.
///
/// # Safety
/// The shape is as many elements as the product of its sizes, one after the other.
#[diagnostic::on_unimplemented(
    message = "`Workgroup<{Self}>` isn't a kernel parameter",
    note = "`Workgroup<[T]>` is, whose size each launch sets, and so are `Workgroup<[T; N]>`, `Workgroup<[[T; N]; M]>` and \
            `Workgroup<[[[T; N]; M]; L]>`, with `T` a `KernelArg`"
)]
pub unsafe trait Slots {
    /// What it holds.
    type Element: KernelArg;
    /// The number of axes.
    const AXES: usize;

    /// Columns, rows and planes.
    #[doc(hidden)]
    fn sizes(pointer: *const Self) -> [usize; 3];
}

/// The shapes with a length in their type.
///
/// # Safety
/// As for [`Slots`].
pub unsafe trait FixedSlots: Slots + Sized {}

/// The shapes with one axis.
pub trait OneAxis: Slots {}

// SAFETY: a slice has its own length.
unsafe impl<T: KernelArg> Slots for [T] {
    type Element = T;
    const AXES: usize = 1;

    #[inline(always)]
    fn sizes(pointer: *const Self) -> [usize; 3] {
        [pointer.len(), 1, 1]
    }
}

impl<T: KernelArg> OneAxis for [T] {}
impl<T: ArrayElement, const N: usize> OneAxis for [T; N] {}

macro_rules! fixed {
    ($($shape:ty, $axes:literal, [$($size:ident)*], $sizes:expr;)*) => {$(
        // SAFETY: an array of arrays is its elements in order.
        unsafe impl<T: ArrayElement, $(const $size: usize),*> Slots for $shape {
            type Element = T;
            const AXES: usize = $axes;

            #[inline(always)]
            fn sizes(_: *const Self) -> [usize; 3] {
                $sizes
            }
        }

        // SAFETY: as above.
        unsafe impl<T: ArrayElement, $(const $size: usize),*> FixedSlots for $shape {}
    )*};
}

fixed! {
    [T; N], 1, [N], [N, 1, 1];
    [[T; N]; M], 2, [N M], [N, M, 1];
    [[[T; N]; M]; L], 3, [N M L], [N, M, L];
}

/// Which slot is a thread's.
///
/// # Safety
/// For a group of a block for which `check` returned, the threads below the given number have different slots, and
/// each is below the product of the sizes.
pub unsafe trait SlotMap<S: ?Sized + Slots> {
    /// # Panics
    /// With fewer slots than threads.
    #[doc(hidden)]
    #[track_caller]
    fn check(sizes: [usize; 3], block: [usize; 3], threads: usize);

    #[doc(hidden)]
    fn slot(sizes: [usize; 3], thread: Identity<'_>) -> usize;
}

/// With one axis the thread's number in its group, row after row; with more, its column, row and plane.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

/// From the end.
#[derive(Clone, Copy, Debug)]
pub struct Reversed;

/// Every `STEP`-th slot, from the first on.
#[derive(Clone, Copy, Debug)]
pub struct Strided<const STEP: usize>;

/// The column is the row, and the row the column.
#[derive(Clone, Copy, Debug)]
pub struct Transposed;

// SAFETY: numbers in a group differ and are below the threads that take part; so are places, on each axis.
unsafe impl<S: ?Sized + Slots> SlotMap<S> for Linear {
    #[inline(always)]
    fn check(sizes: [usize; 3], block: [usize; 3], threads: usize) {
        if S::AXES == 1 {
            at_least(sizes[0], threads);
        } else {
            covers(sizes, block);
        }
    }

    #[inline(always)]
    fn slot([cols, rows, _]: [usize; 3], thread: Identity<'_>) -> usize {
        let local = thread.local();
        match S::AXES {
            1 => thread.number(),
            2 => local.y * cols + local.x,
            _ => (local.z * rows + local.y) * cols + local.x,
        }
    }
}

// SAFETY: numbers differ and are below the threads that take part, which are no more than the slots.
unsafe impl<S: ?Sized + OneAxis> SlotMap<S> for Reversed {
    #[inline(always)]
    fn check([slots, ..]: [usize; 3], _: [usize; 3], threads: usize) {
        at_least(slots, threads);
    }

    #[inline(always)]
    fn slot([slots, ..]: [usize; 3], thread: Identity<'_>) -> usize {
        slots - 1 - thread.number()
    }
}

// SAFETY: the last thread's slot is inside, and multiples of a number that isn't zero differ.
unsafe impl<S: ?Sized + OneAxis, const STEP: usize> SlotMap<S> for Strided<STEP> {
    #[inline(always)]
    fn check([slots, ..]: [usize; 3], _: [usize; 3], threads: usize) {
        const { assert!(STEP > 0, "a stride of zero would give every thread the same slot") };
        at_least(slots.div_ceil(STEP), threads);
    }

    #[inline(always)]
    fn slot(_: [usize; 3], thread: Identity<'_>) -> usize {
        thread.number() * STEP
    }
}

// SAFETY: places in a group differ, and each axis was seen to be long enough for the other's threads.
unsafe impl<T: ArrayElement, const N: usize, const M: usize> SlotMap<[[T; N]; M]> for Transposed {
    #[inline(always)]
    fn check([cols, rows, planes]: [usize; 3], block: [usize; 3], _: usize) {
        covers([rows, cols, planes], block);
    }

    #[inline(always)]
    fn slot([cols, ..]: [usize; 3], thread: Identity<'_>) -> usize {
        let local = thread.local();
        local.x * cols + local.y
    }
}

#[inline(always)]
#[track_caller]
fn at_least(slots: usize, threads: usize) {
    if slots < threads {
        too_few_slots(slots, threads);
    }
}

#[inline(always)]
#[track_caller]
fn covers(sizes: [usize; 3], block: [usize; 3]) {
    if sizes[0] < block[0] || sizes[1] < block[1] || sizes[2] < block[2] {
        too_small(sizes, block);
    }
}

/// A map that is only a type.
pub(crate) type Mapped<M> = PhantomData<fn() -> M>;
