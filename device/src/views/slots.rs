use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::view::{Keep, too_few_slots, too_small};
use crate::arch::{GroupContext, GroupShape, Identity, is_transposed, transposed};
use crate::element::ArrayElement;

/// The shapes of workgroup memory: `[T]`, `[T; N]`, `[[T; N]; M]` and `[[[T; N]; M]; L]`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::group::Slots;
///
/// /// The bytes of a memory of that shape and length.
/// fn bytes<S: ?Sized + Slots>(len: usize) -> usize {
///     len * size_of::<S::Element>()
/// }
/// assert_eq!((bytes::<[f64; 4]>(4), <[[f32; 8]; 8] as Slots>::AXES), (32, 2));
/// ```
///
/// # Safety
/// The shape is as many elements as the product of its sizes, one after the other.
#[diagnostic::on_unimplemented(
    message = "`Workgroup<{Self}>` isn't a kernel parameter",
    note = "`Workgroup<[T]>` is, whose size each launch sets, and so are `Workgroup<[T; N]>`, `Workgroup<[[T; N]; M]>` and \
            `Workgroup<[[[T; N]; M]; L]>`, with `T` a `KernelArg`"
)]
pub unsafe trait Slots {
    /// The type of a slot.
    type Element: KernelArg;
    /// The number of the memory's axes.
    const AXES: usize;

    /// Bytes of memory of this shape, or 0 where the launch says how much it is.
    #[doc(hidden)]
    const BYTES: usize = 0;

    /// The numbers of the memory's columns, rows and planes.
    #[doc(hidden)]
    fn sizes(pointer: *const Self) -> [usize; 3];

    /// A pointer to slots of the memory's sizes from another first slot on.
    #[doc(hidden)]
    fn moved(pointer: *const Self, first: *mut u8) -> *mut Self;
}

/// Shapes of workgroup memory that have their lengths in their type.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::group::FixedSlots;
///
/// /// Of any shape with its size in the type, a slot of each thread.
/// fn clear<S: GroupShape, T: FixedSlots<Element = u32>>(g: &Group<'_, S>, w: &mut Workgroup<'_, T>) {
///     g.fill(w, 0);
/// }
/// ```
///
/// # Safety
/// As for [`Slots`].
pub unsafe trait FixedSlots: Slots + Sized {}

/// Shapes of workgroup memory that have one axis.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::group::OneAxis;
///
/// /// `reversed` takes one axis.
/// fn turn<S: GroupShape, T: ?Sized + OneAxis<Element = u32>>(g: &Group<'_, S>, w: &mut Workgroup<'_, T>) {
///     g.each(w.elements_mut().reversed(), |t, slot| *slot = t.index() as u32);
/// }
/// ```
pub trait OneAxis: Slots {}

// SAFETY: a slice has its own length.
unsafe impl<T: KernelArg> Slots for [T] {
    type Element = T;
    const AXES: usize = 1;

    #[inline(always)]
    fn sizes(pointer: *const Self) -> [usize; 3] {
        [pointer.len(), 1, 1]
    }

    #[inline(always)]
    fn moved(pointer: *const Self, first: *mut u8) -> *mut Self {
        core::ptr::slice_from_raw_parts_mut(first.cast(), pointer.len())
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
            const BYTES: usize = size_of::<Self>();

            #[inline(always)]
            fn sizes(_: *const Self) -> [usize; 3] {
                $sizes
            }

            #[inline(always)]
            fn moved(_: *const Self, first: *mut u8) -> *mut Self {
                first.cast()
            }
        }

        // SAFETY: an array of arrays is its elements in order.
        unsafe impl<T: ArrayElement, $(const $size: usize),*> FixedSlots for $shape {}
    )*};
}

fixed! {
    [T; N], 1, [N], [N, 1, 1];
    [[T; N]; M], 2, [N M], [N, M, 1];
    [[[T; N]; M]; L], 3, [N M L], [N, M, L];
}

/// Maps of a group's threads to slots of workgroup memory.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::ownership::SlotMap;
/// use gridwright::views::ElementsMut;
///
/// /// Writes each thread's index to its slot, whichever that is.
/// fn number<S: GroupShape, M: SlotMap<[usize; 64]>>(g: &Group<'_, S>, slots: ElementsMut<'_, [usize; 64], M>) {
///     g.each(slots, |t, slot| *slot = t.index());
/// }
/// ```
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

    /// The slots, or on the CPU a copy of the slots whose elements lie as threads read them; and the owner of the
    /// copy.
    ///
    /// # Safety
    /// `check` returned for the context, and nobody writes the slots while what this gives is used.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        slots: *const S,
        _: &GroupContext<'g, G>,
    ) -> (*const S, impl Keep + use<'g, Self, S, G>) {
        (slots, ())
    }

    /// The number of a thread's slot in what `in_order` returns.
    #[doc(hidden)]
    #[inline(always)]
    fn slot_in_order(sizes: [usize; 3], thread: Identity<'_>) -> usize {
        Self::slot(sizes, thread)
    }
}

/// The map of threads to slots in order: along one axis by the thread's number in its group, along more by its
/// column, row and plane.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_slots<S: GroupShape>(g: &Group<'_, S>, mut w: Workgroup<'_, [usize; 64]>) {
///     g.each(w.elements_mut(), |t, slot| *slot = t.local().x); // the slot of the thread's number
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Linear;

/// The map of threads to slots from the end: the first thread gets the last slot.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_from_the_end<S: GroupShape>(g: &Group<'_, S>, mut w: Workgroup<'_, [usize; 64]>) {
///     g.each(w.elements_mut().reversed(), |t, slot| *slot = t.local().x); // the last slot is the first thread's
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reversed;

/// The map of threads to every `STEP`-th slot, from the first on.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_even_slots<S: GroupShape>(g: &Group<'_, S>, mut w: Workgroup<'_, [usize; 64]>) {
///     g.each(w.elements_mut().strided::<2>(), |t, slot| *slot = t.index()); // slots 0, 2, 4, …
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strided<const STEP: usize>;

/// The map of threads to rows of `COLS` slots, where a row begins every `STRIDE` slots.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_padded_slots<S: GroupShape>(g: &Group<'_, S>, mut tile: Workgroup<'_, [[usize; 33]; 8]>) {
///     // No slot of the last column.
///     g.each(tile.flat().elements_mut().padded::<32, 33>(), |t, slot| *slot = t.index());
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Padded<const COLS: usize, const STRIDE: usize>;

/// The map of threads to slots that swaps rows and columns: the thread at (row, col) gets the slot at (col, row).
///
/// ```
/// # use gridwright::prelude::*;
/// fn load_transposed<S: GroupShape>(
///     g: &Group<'_, S>,
///     m: &Matrix<f32>,
///     mut tile: Workgroup<'_, [[f32; 16]; 16]>,
/// ) {
///     g.each(tile.elements_mut().transposed(), |t, slot| *slot = m.get_or(t.row(), t.col(), 0.0));
/// }
/// ```
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

// SAFETY: rows don't overlap, as they are no longer than what is from one to the next, and the last one that is needed ends
// inside.
unsafe impl<S: ?Sized + OneAxis, const COLS: usize, const STRIDE: usize> SlotMap<S> for Padded<COLS, STRIDE> {
    #[inline(always)]
    fn check([slots, ..]: [usize; 3], _: [usize; 3], threads: usize) {
        const { assert!(COLS > 0 && COLS <= STRIDE, "rows that overlap would give two threads one slot") };
        // As many whole rows as fit, the last one without what is behind it.
        let rows = slots.saturating_add(STRIDE - COLS) / STRIDE;
        at_least(rows.saturating_mul(COLS), threads);
    }

    #[inline(always)]
    fn slot(_: [usize; 3], thread: Identity<'_>) -> usize {
        thread.number() / COLS * STRIDE + thread.number() % COLS
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

    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        slots: *const [[T; N]; M],
        context: &GroupContext<'g, G>,
    ) -> (*const [[T; N]; M], impl Keep + use<'g, T, N, M, G>) {
        if const { !is_transposed::<T>() } {
            return (slots, None);
        }
        // SAFETY: `check` saw a row for each column of the group, and a column for each row; nobody writes the slots, as this
        // function asks.
        let (transposed, copy) = unsafe { transposed(context, slots) };
        (transposed, Some(copy))
    }

    #[inline(always)]
    fn slot_in_order(sizes: [usize; 3], thread: Identity<'_>) -> usize {
        if const { !is_transposed::<T>() } {
            return <Self as SlotMap<[[T; N]; M]>>::slot(sizes, thread);
        }
        let local = thread.local();
        local.y * M + local.x
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
