use super::view::{Access, View};
use crate::arch::Identity;

/// A view of global memory that a group owns, of which a thread may get an item that another had before.
///
/// [`PerGroup::each_mut`](crate::PerGroup::each_mut) makes it.
#[derive(Debug)]
pub struct OfGroup<V>(pub(crate) V);

// SAFETY: the inner view's own promises.
unsafe impl<V: View> View for OfGroup<V> {
    type Item<'i> = V::Item<'i>;
    type Arg = V::Arg;
    type Sizes = V::Sizes;
    type State = V::State;
    const ACCESS: Access = Access::WriteGlobal;
    const PARTIAL: bool = V::PARTIAL;

    #[inline(always)]
    fn limit(&self) -> usize {
        self.0.limit()
    }

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        self.0.check(block, threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (V::Arg, V::Sizes) {
        // SAFETY: the caller's contract.
        unsafe { self.0.open() }
    }

    #[inline(always)]
    unsafe fn item<'i>(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>) -> V::Item<'i> {
        // SAFETY: the caller's contract.
        unsafe { V::item(arg, sizes, thread) }
    }

    #[inline(always)]
    unsafe fn load(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>) -> V::State {
        // SAFETY: the caller's contract.
        unsafe { V::load(arg, sizes, thread) }
    }

    #[inline(always)]
    unsafe fn lend<'i>(state: &'i mut V::State) -> V::Item<'i> {
        // SAFETY: the caller's contract.
        unsafe { V::lend(state) }
    }

    #[inline(always)]
    unsafe fn store(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>, state: V::State) {
        // SAFETY: the caller's contract.
        unsafe { V::store(arg, sizes, thread, state) };
    }
}
