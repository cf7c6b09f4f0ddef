use core::marker::PhantomData;

use super::slots::Slots;
use super::view::{Access, View};
use crate::arch::{Identity, Readable, readable, readable_pointer};

/// A view with which every thread reads all of a workgroup's memory, or a grid's: `&[T]`, or `&[[T; N]; M]`.
///
/// [`Workgroup::shared`](crate::Workgroup::shared) makes it for phases of a group or a warp, and
/// [`GridMemory::shared`](crate::GridMemory::shared) for phases of a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn rotate<S: GroupShape>(g: &Group<'_, S>, w: Workgroup<'_, [f32; 64]>, mut out: PerThread<'_, [f32]>) {
///     g.each((w.shared(), out.elements_mut()), |t, (w, out)| {
///         if let Some(out) = out {
///             *out = w[(t.local().x + 1) % 64];
///         }
///     });
/// }
/// ```
#[derive(Debug)]
pub struct Shared<'a, S: ?Sized + Slots, const OF_GRID: bool = false> {
    pub(crate) pointer: *const S,
    pub(crate) _memory: PhantomData<&'a S::Element>,
}

// SAFETY: items are only read. Others of the group may write them, after a barrier.
unsafe impl<'a, S: ?Sized + Slots + 'static, const OF_GRID: bool> View for Shared<'a, S, OF_GRID> {
    type Item<'i> = &'i S;
    type Arg = Readable<'a, S>;
    type Sizes = ();
    type State = *const S;
    const ACCESS: Access = Access::Read;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, ()) {
        // SAFETY: the view borrows the memory.
        (unsafe { readable(self.pointer) }, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(arg: &mut Self::Arg, (): (), _: Identity<'_>) -> &'i S {
        // SAFETY: the memory outlives the phase, and nobody writes it there.
        unsafe { &*readable_pointer(arg) }
    }

    #[inline(always)]
    unsafe fn load(arg: &mut Self::Arg, (): (), _: Identity<'_>) -> *const S {
        readable_pointer(arg)
    }

    #[inline(always)]
    unsafe fn lend(state: &mut *const S) -> &S {
        // SAFETY: as for `item`.
        unsafe { &**state }
    }

    #[inline(always)]
    unsafe fn store(_: &mut Self::Arg, (): (), _: Identity<'_>, _: *const S) {}
}
