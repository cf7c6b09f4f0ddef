use core::marker::PhantomData;

use super::first::First;
use super::slots::{Linear, Mapped, OneAxis, Padded, Reversed, SlotMap, Slots, Strided, Transposed};
use super::view::{Access, Keep, View};
use crate::arch::{
    Exclusive, GroupContext, GroupShape, Identity, Readable, exclusive, exclusive_pointer, readable,
    readable_pointer,
};
use crate::element::ArrayElement;

/// A view that gives each thread a slot of workgroup memory to write: `&mut T`.
///
/// [`Workgroup::elements_mut`](crate::Workgroup::elements_mut) makes it, for phases of a group, or, along one axis, of a warp.
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_first_slots<S: GroupShape>(g: &Group<'_, S>, mut w: Workgroup<'_, [usize; 64]>) {
///     g.each(w.elements_mut().take(32), |t, slot| *slot = t.index());
/// }
/// ```
#[derive(Debug)]
pub struct ElementsMut<'a, S: ?Sized + Slots, M = Linear> {
    pub(crate) pointer: *mut S,
    pub(crate) _memory: PhantomData<&'a mut S::Element>,
    pub(crate) _map: Mapped<M>,
}

/// A view that gives each thread a slot of workgroup memory to read: `&T`.
///
/// [`Workgroup::each`](crate::Workgroup::each) makes it, for phases of a group, or, along one axis, of a warp.
///
/// ```
/// # use gridwright::prelude::*;
/// fn add_slots<S: GroupShape>(g: &Group<'_, S>, w: Workgroup<'_, [f32; 64]>, sum: &mut Private<'_, f32>) {
///     g.each((w.elements(), sum), |_, (slot, sum)| *sum += *slot);
/// }
/// ```
#[derive(Debug)]
pub struct Elements<'a, S: ?Sized + Slots, M = Linear> {
    pub(crate) pointer: *const S,
    pub(crate) _memory: PhantomData<&'a S::Element>,
    pub(crate) _map: Mapped<M>,
}

/// A view with which only the first threads of the group take part in a phase: what `take` returns.
///
/// ```
/// # use gridwright::prelude::*;
/// fn fold_halves<S: GroupShape>(g: &Group<'_, S>, mut w: Workgroup<'_, [f32; 64]>) {
///     let (low, high) = (32, 32);
///     let mut flat = w.flat();
///     let (front, back) = flat.split_at_mut(low);
///     g.each((front.elements_mut().take(low), back.elements().take(high)), |_, (front, back)| *front += *back);
/// }
/// ```
#[derive(Debug)]
pub struct Take<V> {
    pub(super) view: V,
    pub(super) threads: usize,
}

macro_rules! maps {
    ($view:ident) => {
        impl<'a, S: ?Sized + Slots> $view<'a, S> {
            #[inline(always)]
            fn by<M>(self) -> $view<'a, S, M> {
                $view { pointer: self.pointer, _memory: PhantomData, _map: PhantomData }
            }
        }

        impl<'a, S: ?Sized + OneAxis> $view<'a, S> {
            /// The view in reverse order: the first thread gets the last slot, and so on.
            ///
            /// ```
            /// use gridwright::prelude::*;
            ///
            /// /// Reverses the order within each group.
            /// #[gpu_kernel(block = 64)]
            /// fn reverse(g: &Group, mut x: PerThread<[u32]>, mut w: Workgroup<[u32; 64]>) {
            ///     g.each((w.elements_mut(), x.elements_mut()), |_, (w, x)| *w = x.map_or(0, |x| *x));
            ///     g.each((w.elements().reversed(), x.elements_mut()), |_, (w, x)| {
            ///         if let Some(x) = x {
            ///             *x = *w;
            ///         }
            ///     });
            /// }
            /// ```
            #[inline(always)]
            pub fn reversed(self) -> $view<'a, S, Reversed> {
                self.by()
            }

            /// The view with a stride: the thread of number *i* in its group gets slot *i* × `STEP`.
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 32)]
            /// fn clear_even_slots(g: &Group, mut w: Workgroup<[u32; 64]>) {
            ///     g.each(w.elements_mut().strided::<2>(), |_, even| *even = 0);
            /// }
            /// ```
            ///
            /// A stride of zero, by which all threads would get one slot, doesn't compile:
            ///
            /// ```compile_fail,E0080
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 32)]
            /// fn all_at_once(g: &Group, mut w: Workgroup<[u32; 64]>) {
            ///     g.each(w.elements_mut().strided::<0>(), |_, first| *first = 0);
            /// }
            /// # fn main() -> Result<(), gridwright::Error> {
            /// all_at_once::load(&Device::cpu()?)?;
            /// # Ok(())
            /// # }
            /// ```
            #[inline(always)]
            pub fn strided<const STEP: usize>(self) -> $view<'a, S, Strided<STEP>> {
                self.by()
            }

            /// The view with room between rows: threads get the first `COLS` of every `STRIDE` slots, row after row.
            /// The room keeps rows in different banks.
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 32)]
            /// fn fill_padded_tile(g: &Group, mut tile: Workgroup<[[f32; 5]; 8]>) {
            ///     g.each(tile.flat().elements_mut().padded::<4, 5>(), |t, slot| {
            ///         *slot = (t.local().x / 4) as f32;
            ///     });
            /// }
            /// ```
            ///
            /// Rows that overlap don't compile:
            ///
            /// ```compile_fail,E0080
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 32)]
            /// fn overlapping(g: &Group, mut tile: Workgroup<[f32; 64]>) {
            ///     g.each(tile.elements_mut().padded::<5, 4>(), |_, slot| *slot = 0.0);
            /// }
            /// # fn main() -> Result<(), gridwright::Error> {
            /// overlapping::load(&Device::cpu()?)?;
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # From CUDA
            /// The columns of `__shared__ float tile[32][33]` without the last.
            #[inline(always)]
            pub fn padded<const COLS: usize, const STRIDE: usize>(
                self,
            ) -> $view<'a, S, Padded<COLS, STRIDE>> {
                self.by()
            }
        }

        impl<'a, T: ArrayElement, const N: usize, const M: usize> $view<'a, [[T; N]; M]> {
            /// The view with rows and columns swapped: the thread in column *x* and row *y* gets the slot in row *x*
            /// and column *y*.
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = (16, 16))]
            /// fn load_transposed(g: &Group, m: &Matrix<f32>, mut tile: Workgroup<[[f32; 16]; 16]>) {
            ///     g.each(tile.elements_mut().transposed(), |t, slot| *slot = m.get_or(t.row(), t.col(), 0.0));
            /// }
            /// ```
            #[inline(always)]
            pub fn transposed(self) -> $view<'a, [[T; N]; M], Transposed> {
                self.by()
            }
        }

        impl<S: ?Sized + OneAxis, M> $view<'_, S, M> {
            /// The view with which only the first `threads` threads of the group take part in the phase; the others
            /// wait.
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel]
            /// fn fold_halves(g: &Group, mut w: Workgroup<[u32]>) {
            ///     let half = g.len() / 2;
            ///     let (low, high) = w.split_at_mut(half);
            ///     g.each((low.elements_mut().take(half), high.elements().take(half)), |_, (low, high)| *low += *high);
            /// }
            /// ```
            #[inline(always)]
            pub fn take(self, threads: usize) -> Take<Self> {
                Take { view: self, threads }
            }

            /// The view that gives the first `threads` threads of the group their slot, and the others `None`.
            ///
            #[doc = concat!("[`take`](", stringify!($view), "::take) limits all views of the phase, and `first` this view alone.")]
            ///
            /// ```
            /// # use gridwright::prelude::*;
            /// #[gpu_kernel(block = 64)]
            /// fn copy_first_elements(g: &Group, mut x: PerThread<[f32]>, mut w: Workgroup<[f32; 16]>) {
            ///     g.each((x.elements_mut(), w.elements_mut().first(16)), |_, (x, slot)| {
            ///         if let (Some(x), Some(slot)) = (x, slot) {
            ///             *slot = *x;
            ///         }
            ///     });
            /// }
            /// ```
            #[inline(always)]
            pub fn first(self, threads: usize) -> First<Self> {
                First { view: self, threads }
            }
        }
    };
}

maps!(ElementsMut);
maps!(Elements);

// SAFETY: the map gives different threads different slots. Others of the group see them, after a barrier.
unsafe impl<'a, S, M> View for ElementsMut<'a, S, M>
where
    S: ?Sized + Slots + 'a,
    M: SlotMap<S>,
{
    type Item<'i> = &'i mut S::Element;
    type Arg = Exclusive<'a, S>;
    type Sizes = ();
    type State = S::Element;
    const ACCESS: Access = Access::Write;

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        M::check(S::sizes(self.pointer), block, threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, ()) {
        // SAFETY: the view borrows the memory exclusively.
        (unsafe { exclusive(self.pointer) }, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> &'i mut S::Element {
        let pointer = exclusive_pointer(arg);
        // SAFETY: the slot is inside and this thread's own.
        unsafe { &mut *pointer.cast::<S::Element>().add(M::slot(S::sizes(pointer), thread)) }
    }

    #[inline(always)]
    unsafe fn load(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> S::Element {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { *Self::item(arg, (), thread) }
    }

    #[inline(always)]
    unsafe fn lend(state: &mut S::Element) -> &mut S::Element {
        state
    }

    #[inline(always)]
    unsafe fn store(arg: &mut Self::Arg, (): (), thread: Identity<'_>, state: S::Element) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { *Self::item(arg, (), thread) = state };
    }
}

// SAFETY: items are only read. Others of the group may write them, after a barrier.
unsafe impl<'a, S, M> View for Elements<'a, S, M>
where
    S: ?Sized + Slots + 'a,
    M: SlotMap<S>,
{
    type Item<'i> = &'i S::Element;
    type Arg = Readable<'a, S>;
    type Sizes = ();
    type State = S::Element;
    const ACCESS: Access = Access::Read;

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        M::check(S::sizes(self.pointer), block, threads);
    }

    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, S, M, G>) {
        // SAFETY: the map was checked for the context with the view, as this function asks; nobody writes what the view borrows.
        let (pointer, copy) = unsafe { M::in_order(self.pointer, context) };
        (Self { pointer, ..self }, copy)
    }

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, ()) {
        // SAFETY: the view borrows the memory.
        (unsafe { readable(self.pointer) }, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> &'i S::Element {
        let pointer = readable_pointer(arg);
        // SAFETY: the slot is inside.
        unsafe { &*pointer.cast::<S::Element>().add(M::slot_in_order(S::sizes(pointer), thread)) }
    }

    #[inline(always)]
    unsafe fn load(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> S::Element {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { *Self::item(arg, (), thread) }
    }

    #[inline(always)]
    unsafe fn lend(state: &mut S::Element) -> &S::Element {
        state
    }

    #[inline(always)]
    unsafe fn store(_: &mut Self::Arg, (): (), _: Identity<'_>, _: S::Element) {}
}

// SAFETY: items, access and sizes are the inner view's.
unsafe impl<V: View> View for Take<V> {
    type Item<'i> = V::Item<'i>;
    type Arg = V::Arg;
    type Sizes = V::Sizes;
    type State = V::State;
    const ACCESS: Access = V::ACCESS;
    const PARTIAL: bool = true;
    const BY_VALUE: bool = V::BY_VALUE;

    #[inline(always)]
    fn limit(&self) -> usize {
        self.threads
    }

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        self.view.check(block, threads);
    }

    #[inline(always)]
    unsafe fn open(self) -> (V::Arg, V::Sizes) {
        // SAFETY: a phase's loop opens the view, for one thread's item at a time, as this function asks.
        unsafe { self.view.open() }
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
