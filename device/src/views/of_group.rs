use super::elements::{ElementsMut, Take};
use super::own::check_launch;
use super::slots::OneAxis;
use super::view::{Access, Keep, View};
use crate::arch::{GroupContext, GroupShape, Identity, LaunchId};

/// A view of global memory that a group owns, of which a thread may get an item that another thread had in an earlier phase.
///
/// [`PerGroup::elements_mut`](crate::PerGroup::elements_mut) makes it for phases of a group, and
/// [`GridMemory::elements_mut`](crate::GridMemory::elements_mut) for phases of a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn write_sums<S: GroupShape>(
///     g: &Group<'_, S>,
///     mut sums: PerGroup<'_, [[u32; 64]]>,
///     bins: Workgroup<'_, [u32; 64]>,
/// ) {
///     g.each((sums.elements_mut(), bins.elements()), |_, (sum, bin)| *sum = *bin);
/// }
/// ```
#[derive(Debug)]
pub struct OfGroup<V> {
    pub(crate) view: V,
    pub(crate) launch: LaunchId,
}

impl<S: ?Sized + OneAxis, M> OfGroup<ElementsMut<'_, S, M>> {
    /// The view with which only the first `threads` threads of the group take part in the phase, as with
    /// [`ElementsMut::take`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn number_first_slots(g: &Group, mut out: PerGroup<[[u32; 16]]>) {
    ///     g.each(out.elements_mut().take(16), |t, out| *out = t.local().x as u32);
    /// }
    /// ```
    #[inline(always)]
    pub fn take(self, threads: usize) -> Take<Self> {
        Take { view: self, threads }
    }
}

// SAFETY: items and sizes are the inner view's, and what it writes is global memory.
unsafe impl<V: View> View for OfGroup<V> {
    type Item<'i> = V::Item<'i>;
    type Arg = V::Arg;
    type Sizes = V::Sizes;
    type State = V::State;
    const ACCESS: Access = Access::WriteGlobal;
    const PARTIAL: bool = V::PARTIAL;
    const BY_VALUE: bool = V::BY_VALUE;
    const EDGED: bool = V::EDGED;

    #[inline(always)]
    fn limit(&self) -> usize {
        self.view.limit()
    }

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        self.view.check(block, threads);
    }

    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'g, V, G>) {
        check_launch(context.launch(), self.launch);
        // SAFETY: the view was checked for the context, and what it gives is opened while the copy lives, as this function asks.
        let (view, copy) = unsafe { self.view.in_order(context) };
        (Self { view, ..self }, copy)
    }

    #[inline(always)]
    unsafe fn open(self) -> (V::Arg, V::Sizes) {
        // SAFETY: a phase's loop opens the view, for one thread's item at a time, as this function asks.
        unsafe { self.view.open() }
    }

    #[inline(always)]
    fn inside(sizes: V::Sizes, threads: usize, group: [usize; 3], first: Identity<'_>) -> Option<V::Sizes> {
        V::inside(sizes, threads, group, first)
    }

    #[inline(always)]
    unsafe fn item<'i>(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>) -> V::Item<'i> {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { V::item(arg, sizes, thread) }
    }

    #[inline(always)]
    unsafe fn load(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>) -> V::State {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { V::load(arg, sizes, thread) }
    }

    #[inline(always)]
    unsafe fn lend<'i>(state: &'i mut V::State) -> V::Item<'i> {
        // SAFETY: the state was loaded from a view that still lives, as this function asks.
        unsafe { V::lend(state) }
    }

    #[inline(always)]
    unsafe fn store(arg: &mut V::Arg, sizes: V::Sizes, thread: Identity<'_>, state: V::State) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { V::store(arg, sizes, thread, state) };
    }
}
