use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::own::check_launch;
use super::view::{Access, Keep, View};
use crate::arch::{GroupContext, GroupShape, Identity, LaunchId, element};
use crate::per_thread::MatrixWindow;

/// A view that gives each thread inside a margin its element of the group's tile, and the others nothing:
/// `Option<&mut T>`.
///
/// [`PerGroup::inner_elements_mut`](crate::PerGroup::inner_elements_mut) makes it, for phases of a group.
///
/// ```
/// # use gridwright::prelude::*;
/// fn clear_inside<S: GroupShape>(g: &Group<'_, S>, mut m: PerGroup<'_, Matrix<f32>, Tiles<14, 14>>) {
///     // A block of 16 by 16, of which 14 by 14 threads own an element.
///     g.each(m.inner_elements_mut(1), |_, element| if let Some(element) = element { *element = 0.0 });
/// }
/// ```
#[derive(Debug)]
pub struct InnerMut<'a, T> {
    pub(crate) pointer: *mut T,
    pub(crate) window: MatrixWindow,
    /// Columns and rows of a tile.
    pub(crate) tile: [usize; 2],
    /// Threads of the margin, on each of four sides.
    pub(crate) margin: usize,
    pub(crate) launch: LaunchId,
    pub(crate) _memory: PhantomData<&'a mut T>,
}

/// A tile's place in its matrix, and the margin of its threads.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct InnerWindow {
    window: MatrixWindow,
    tile: [usize; 2],
    margin: usize,
}

// SAFETY: threads have columns and rows of their own in the tile, and tiles don't overlap. `check` lets one margin pass for a block, so
// that an element is the same thread's in each phase: nobody else ever sees it.
unsafe impl<'a, T: KernelArg> View for InnerMut<'a, T> {
    type Item<'i> = Option<&'i mut T>;
    type Arg = *mut T;
    type Sizes = InnerWindow;
    type State = Option<T>;
    const ACCESS: Access = Access::None;

    #[inline(always)]
    fn check(&self, block: [usize; 3], _: usize) {
        let ([x, y, z], [cols, rows]) = (block, self.tile);
        // A block has few threads, but a margin may be of any size.
        let is = |threads: usize, size: usize| {
            self.margin.checked_mul(2).and_then(|margins| margins.checked_add(size)) == Some(threads)
        };
        if !(is(x, cols) & is(y, rows) & (z == 1)) {
            not_the_tile_and_its_margin(self.tile, self.margin, block);
        }
    }

    /// The view itself, of which nothing is copied.
    ///
    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, T, G>) {
        check_launch(context.launch(), self.launch);
        (self, ())
    }

    #[inline(always)]
    unsafe fn open(self) -> (*mut T, InnerWindow) {
        let Self { pointer, window, tile, margin, .. } = self;
        (pointer, InnerWindow { window, tile, margin })
    }

    #[inline(always)]
    unsafe fn item<'i>(
        pointer: &mut *mut T,
        InnerWindow { window, tile: [cols, rows], margin }: InnerWindow,
        thread: Identity<'_>,
    ) -> Option<&'i mut T> {
        let local = thread.local();
        // Of the margin's threads these are no numbers of rows and columns, but far beyond them.
        let (row, col) = (local.y.wrapping_sub(margin), local.x.wrapping_sub(margin));
        if (row >= rows) | (col >= cols) {
            return None;
        }
        let (row, col) = (window.row.saturating_add(row), window.col.saturating_add(col));
        let is_inside = (row < window.rows) & (col < window.cols);
        // SAFETY: it was just seen to be in the matrix.
        is_inside.then(|| unsafe { &mut *pointer.add(element(row, window.cols, col)) })
    }

    #[inline(always)]
    unsafe fn load(pointer: &mut *mut T, window: InnerWindow, thread: Identity<'_>) -> Option<T> {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { Self::item(pointer, window, thread) }.copied()
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&mut T> {
        state.as_mut()
    }

    #[inline(always)]
    unsafe fn store(pointer: &mut *mut T, window: InnerWindow, thread: Identity<'_>, state: Option<T>) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        if let (Some(element), Some(state)) = (unsafe { Self::item(pointer, window, thread) }, state) {
            *element = state;
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_the_tile_and_its_margin([cols, rows]: [usize; 2], margin: usize, [x, y, z]: [usize; 3]) -> ! {
    panic!(
        "a tile of {rows} rows and {cols} columns with a margin of {margin} was handed to {y} by {x} threads on {z} planes"
    )
}
