use crate::arch::{Ahead, GroupContext, GroupShape, Identity};

/// The access of a phase to memory that other threads of the group see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// No access: threads have their items to themselves.
    None,
    /// The phase reads the memory.
    Read,
    /// The phase writes the memory, or updates it.
    Write,
    /// The phase writes global memory.
    WriteGlobal,
}

impl Access {
    /// The access of two views together.
    #[inline(always)]
    pub(crate) const fn and(self, other: Self) -> Self {
        if self as u8 > other as u8 { self } else { other }
    }
}

/// A view: something that a phase hands out in items, one to each thread of the group.
///
/// Views come from [`Workgroup`](crate::Workgroup), [`PerThread`](crate::PerThread), [`PerGroup`](crate::PerGroup)
/// and [`Private`](crate::Private); they can't be made otherwise (see *Glossary* in the book: view, phase, item).
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::views::View;
///
/// /// A view of numbers, wherever they lie: a slot of workgroup memory for each thread, or a private value.
/// fn add_one<S: GroupShape, V>(g: &Group<'_, S>, view: V)
/// where
///     V: for<'i> View<Item<'i> = &'i mut u32>,
/// {
///     g.each(view, |_, number| *number += 1);
/// }
/// ```
///
/// # Safety
/// - Items of different threads don't overlap where an item can be written through.
/// - What `ACCESS` says is true.
/// - The sizes that `inside` gives are good for every thread below the number and in such a group, where the first one is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that a phase can hand out",
    label = "not a view",
    note = "a phase hands out views, alone or in a tuple of up to 16, and more in several phases: `w.elements()`, `w.elements_mut()`, `w.shared()`, \
            `w.atomic()`, `y.elements_mut()`, `x.elements_from(start)`, `&private`, `&mut private`"
)]
pub unsafe trait View: Sized {
    /// The item that a thread gets.
    type Item<'i>;
    /// An argument of a phase's loop: at most one reference, so that on the CPU it is known to alias nothing.
    #[doc(hidden)]
    type Arg;
    /// Sizes that go beside the argument.
    #[doc(hidden)]
    type Sizes: Copy;
    /// An item taken out of memory: see [`Group::each_while`](crate::Threads::each_while).
    #[doc(hidden)]
    type State: Copy;

    /// Access of the view's items to memory of which other threads of the group get items, too. After such an access
    /// the phase ends with a barrier.
    const ACCESS: Access;
    /// Whether only some of the group's threads take part in the phase.
    const PARTIAL: bool = false;

    /// Whether a thread's item is a copy, which is put back when the thread's call has ended. `item` isn't called
    /// then.
    #[doc(hidden)]
    const BY_VALUE: bool = false;

    /// Whether a copy of an item is a register, so that it is put back without a look whether it changed.
    #[doc(hidden)]
    const SMALL: bool = false;

    /// Loads a small state into a register of its own: as an operand of a choice of two values, the load would become a branch.
    ///
    /// # Safety
    /// As for `load`.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn load_small(arg: &mut Self::Arg, sizes: Self::Sizes, thread: Identity<'_>) -> Self::State {
        // SAFETY: `load` asks for the same.
        unsafe { Self::load(arg, sizes, thread) }
    }

    /// Bytes of memory that all threads update, where a CPU may keep them in registers while a phase runs; 0 where it doesn't.
    #[doc(hidden)]
    const UPDATED: usize = 0;

    /// Lets items update other memory, and gives what they updated before.
    ///
    /// # Safety
    /// As much memory is there as [`UPDATED`](Self::UPDATED) says, aligned to 16 bytes, and holds the same; no item is there.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn move_updates(_: &mut Self::Arg, _to: *mut u8) -> *mut u8 {
        core::ptr::null_mut()
    }

    /// Whether threads beyond an edge may have no item. On the CPU a phase with such a view has a second loop, for
    /// groups that are wholly inside.
    const EDGED: bool = false;

    /// The number of threads that take part in the phase.
    #[doc(hidden)]
    #[inline(always)]
    fn limit(&self) -> usize {
        usize::MAX
    }

    /// # Panics
    /// With fewer slots than a block of such sizes, of which so many threads take part, needs.
    #[doc(hidden)]
    #[track_caller]
    fn check(&self, block: [usize; 3], threads: usize);

    /// Whether the CPU writes the results of a number of threads past its caches when the phase ends.
    #[doc(hidden)]
    #[inline(always)]
    fn writes_past_caches(&self, _threads: usize) -> bool {
        false
    }

    /// Memory that the CPU may fetch for the phase after the next one, if each phase goes on by as many elements as
    /// threads read.
    #[doc(hidden)]
    #[inline(always)]
    fn ahead(&self, _threads: usize) -> Ahead {
        Ahead::NOTHING
    }

    /// The view, or on the CPU a view of a copy whose elements lie as threads read or write them, where that is
    /// faster; and the copy.
    ///
    /// # Safety
    /// The view was checked for the context. What it gives is opened while the copy lives, and nothing else.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        _: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'g, Self, G>) {
        (self, ())
    }

    /// # Safety
    /// For a phase's loop only: what it gives is good for one thread's item at a time.
    #[doc(hidden)]
    unsafe fn open(self) -> (Self::Arg, Self::Sizes);

    /// The sizes with which every thread below `threads` has an item, or `None` if some may have none. The group's
    /// columns, rows and planes and the first thread at hand are given.
    #[doc(hidden)]
    #[inline(always)]
    fn inside(
        sizes: Self::Sizes,
        _threads: usize,
        _group: [usize; 3],
        _first: Identity<'_>,
    ) -> Option<Self::Sizes> {
        Some(sizes)
    }

    /// # Safety
    /// The view was checked for the group that the thread is of, and no other item of the thread lives.
    #[doc(hidden)]
    unsafe fn item<'i>(arg: &mut Self::Arg, sizes: Self::Sizes, thread: Identity<'_>) -> Self::Item<'i>;

    /// # Safety
    /// As for `item`.
    #[doc(hidden)]
    unsafe fn load(arg: &mut Self::Arg, sizes: Self::Sizes, thread: Identity<'_>) -> Self::State;

    /// # Safety
    /// The state was loaded from a view that still lives.
    #[doc(hidden)]
    unsafe fn lend<'i>(state: &'i mut Self::State) -> Self::Item<'i>;

    /// # Safety
    /// As for `item`; the state is what `load` gave for the thread, or what its items made of it.
    #[doc(hidden)]
    unsafe fn store(arg: &mut Self::Arg, sizes: Self::Sizes, thread: Identity<'_>, state: Self::State);
}

/// Data that a view keeps while a phase's loop runs.
#[doc(hidden)]
pub trait Keep: Sized {
    /// Puts back what was written to a copy.
    ///
    /// # Safety
    /// The loop has ended, in which the first so many threads of the context took part.
    #[inline(always)]
    unsafe fn put_back<S: GroupShape>(self, _: &GroupContext<'_, S>, _threads: usize) {}
}

impl Keep for () {}

impl<K: Keep> Keep for Option<K> {
    #[inline(always)]
    unsafe fn put_back<S: GroupShape>(self, context: &GroupContext<'_, S>, threads: usize) {
        if let Some(kept) = self {
            // SAFETY: the loop has ended, in which the first so many threads of the context took part, as this function asks.
            unsafe { kept.put_back(context, threads) };
        }
    }
}

impl<A: Keep, B: Keep> Keep for (A, B) {
    #[inline(always)]
    unsafe fn put_back<S: GroupShape>(self, context: &GroupContext<'_, S>, threads: usize) {
        // SAFETY: the loop has ended, in which the first so many threads of the context took part, as this function asks.
        unsafe {
            self.0.put_back(context, threads);
            self.1.put_back(context, threads);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn too_few_slots(slots: usize, threads: usize) -> ! {
    panic!(
        "a view of {slots} slots was handed to {threads} threads; `.take(n)` lets only the first n take part"
    )
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn too_small([x, y, z]: [usize; 3], [cols, rows, planes]: [usize; 3]) -> ! {
    panic!("a view of {x} by {y} by {z} slots was handed to a group of {cols} by {rows} by {planes} threads")
}
