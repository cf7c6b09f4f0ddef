//! The warps of a group, one after the other: each is a group of its own as far as phases know, of one row.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;

use super::Isa;
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::identity::WARP;
use super::isa::{by_instruction_set, by_isa};
use super::witness::GroupWitness;
use crate::block::Block;
use crate::warp::{PrivateMut, WarpItems, WarpPlace};
use crate::{Local, Private};

/// How the threads of a warp are laid out: a run of those of a group.
#[derive(Clone, Copy, Debug)]
pub struct OfWarp<S> {
    group: S,
    place: WarpPlace,
}

/// The threads of a warp: a full one, where the group is known to have no other.
#[derive(Clone, Copy, Debug)]
pub struct WarpBlock<S> {
    threads: usize,
    _group: PhantomData<S>,
}

// SAFETY: the number is of the warp's threads; it is that of a full one where the group's is a multiple of it.
unsafe impl<S: GroupShape> Block for WarpBlock<S> {
    const AXES: usize = 1;
    const SIZES: Option<[usize; 3]> = match <S::Block as Block>::THREADS {
        Some(threads) if threads.is_multiple_of(S::LANES) => Some([S::LANES, 1, 1]),
        _ => None,
    };

    #[inline(always)]
    fn of([threads, ..]: [usize; 3]) -> Self {
        Self { threads, _group: PhantomData }
    }

    #[inline(always)]
    fn sizes(self) -> [usize; 3] {
        [if Self::IS_FIXED { S::LANES } else { self.threads }, 1, 1]
    }
}

// SAFETY: as for the group's shape; the warp's threads are among the group's.
unsafe impl<S: GroupShape> GroupShape for OfWarp<S> {
    type Block = WarpBlock<S>;
    const RANK: usize = S::RANK;
    const ISA: Isa = S::ISA;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn block(self) -> WarpBlock<S> {
        WarpBlock::of([self.place.threads, 1, 1])
    }

    #[inline(always)]
    fn group(self) -> [usize; 3] {
        self.group.group()
    }

    #[inline(always)]
    fn local(self, x: usize, _: usize, _: usize) -> Local {
        let [cols, rows, _] = self.group();
        let first = self.place.first;
        match S::Block::AXES {
            // Of the group, or of the warp whose tile it is.
            1 => self.group.local(first + x, 0, 0),
            // The warp lies within a row: no division for each thread.
            2 if cols.is_multiple_of(S::LANES) => Local { x: first % cols + x, y: first / cols, z: 0 },
            2 => Local { x: (first + x) % cols, y: (first + x) / cols, z: 0 },
            _ => {
                let (number, row) = (first + x, (first + x) / cols);
                Local { x: number % cols, y: row % rows, z: row / rows }
            }
        }
    }
}

/// Threads in a full warp, of which no tiles are made.
#[inline(always)]
pub(crate) fn warp_size() -> usize {
    WARP
}

by_instruction_set! {
    /// Calls the body for each warp of the context.
    EachWarp [S: GroupShape] [S] where F: [for<'k> FnMut(GroupContext<'k, OfWarp<S>>)],
    fn(body, context: &GroupContext<'_, S>) {
        for_each_warp(context, body);
    }
}

#[inline(always)]
fn for_each_warp<S: GroupShape>(
    context: &GroupContext<'_, S>,
    mut body: impl for<'w> FnMut(GroupContext<'w, OfWarp<S>>),
) {
    let threads = context.threads();
    let warps = threads.div_ceil(S::LANES);
    for index in 0..warps {
        let first = index * S::LANES;
        let place = WarpPlace { index, first, threads: S::LANES.min(threads - first), warps };
        let shape = OfWarp { group: context.shape, place };
        let witness = GroupWitness::of_thread(context.origin, shape.local(0, 0, 0));
        body(GroupContext::new(shape, context.origin, context.scratch));
        witness.dismiss();
    }
}

impl<S: GroupShape> GroupContext<'_, S> {
    /// Calls the body for each warp. Where all are known to be full, a phase is a few vectors, and is inlined into a loop for the group's
    /// instructions. A phase of a length that isn't known has more code than a call costs, and stays a function of its own.
    #[inline(always)]
    pub(crate) fn each_warp(&self, body: impl for<'w> FnMut(GroupContext<'w, OfWarp<S>>)) {
        if const { !WarpBlock::<S>::IS_FIXED } {
            return for_each_warp(self, body);
        }
        // SAFETY: the shape exists, so its instruction set does.
        unsafe {
            by_isa!(
                S::ISA,
                EachWarp::<S>::baseline(body, self),
                EachWarp::<S>::avx2(body, self),
                EachWarp::<S>::avx512(body, self)
            );
        }
    }
}

impl<S: GroupShape> GroupContext<'_, S> {
    /// Threads in one of the context's full warps.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        S::LANES
    }
}

impl<S: GroupShape> GroupContext<'_, OfWarp<S>> {
    /// Which warp the context is.
    #[inline(always)]
    pub(crate) fn warp_place(&self) -> WarpPlace {
        self.shape.place
    }
}

/// The warp's part of a group's values.
fn part<'g, T: Copy + 'static>(values: &Private<'g, T>, warp: WarpPlace) -> ManuallyDrop<Private<'g, T>> {
    // SAFETY: the values were checked to be of a group with such a warp, and aren't dropped.
    ManuallyDrop::new(Private { values: unsafe { values.values.part(warp.first, warp.threads) } })
}

/// A [`Private`] of the group that a warp changes its part of: on the CPU a part of the values in memory, which nobody
/// gives back.
pub(crate) type Lent<'i, T> = ManuallyDrop<Private<'i, T>>;

// SAFETY: warps have parts of their own.
unsafe impl<'a, T: Copy + 'static> WarpItems for &'a mut Private<'_, T> {
    type Item<'i> = PrivateMut<'i, T>;
    type Part = ManuallyDrop<Private<'a, T>>;

    #[inline(always)]
    fn check(&self, threads: usize, _: usize) {
        self.values.check(threads);
    }

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> Self::Part {
        part(self, warp)
    }

    #[inline(always)]
    unsafe fn lend<'i>(values: &'i mut Self::Part) -> PrivateMut<'i, T> {
        // SAFETY: the values live on, and `values` isn't used while the copy is.
        PrivateMut::new(ManuallyDrop::new(Private { values: unsafe { values.values.whole() } }))
    }
}

// SAFETY: the values are only read.
unsafe impl<'a, T: Copy + 'static> WarpItems for &'a Private<'_, T> {
    type Item<'i> = &'i Private<'i, T>;
    type Part = ManuallyDrop<Private<'a, T>>;

    #[inline(always)]
    fn check(&self, threads: usize, _: usize) {
        self.values.check(threads);
    }

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> Self::Part {
        part(self, warp)
    }

    #[inline(always)]
    unsafe fn lend<'i>(values: &'i mut Self::Part) -> &'i Private<'i, T> {
        // The cast shortens lifetimes, in which a `Private` is covariant.
        let values: *const Private<'_, T> = &raw const **values;
        // SAFETY: the values outlive 'i.
        unsafe { &*values.cast() }
    }
}
