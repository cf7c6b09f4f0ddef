//! Elements that are chosen, one behind the other, in one pass: each group puts those of its tile together, and finds where they go by
//! looking back.

use gridwright::prelude::*;

use super::look_back::{OF_TILE, before_tile, next_tile, publish};
use super::maybe::{Always, Found, Maybe};
use super::scan::before_threads;
use super::tile::{BLOCK, Board, ROWS_BYTES, Slots, WARPS, WORDS, items_of, load, load_before, tile_of};
use crate::source::argument::argument;
use crate::source::{Fused, Index};

/// Which elements are chosen, and what is kept of them.
///
/// ```
/// use gridwright_primitives::operators::Equal;
/// use gridwright_primitives::{Choice, First, Flagged};
///
/// fn chooses<T, C: Choice<T>>() {}
///
/// chooses::<f32, First<Equal>>();
/// chooses::<(f32, u8), Flagged>();
/// ```
pub trait Choice<T>: KernelArg {
    /// What is kept of an element.
    type Kept: KernelArg;
    /// Whether the element before is asked for.
    const LOOKS_BACK: bool;

    /// Whether an element is chosen, which may be the first.
    fn chooses(self, is_first: bool, before: T, item: T) -> bool;

    /// What is kept of an element.
    fn kept(item: T) -> Self::Kept;
}

/// The elements that a predicate is true of: the choice of [`select`](crate::Primitives::select) and [`partition`](crate::Primitives::partition).
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::If;
/// use gridwright_primitives::source::Slice;
///
/// operator! { pub struct IsPositive = |x: f64| -> bool { x > 0.0 }; }
///
/// /// Stands for this crate's instances.
/// pub struct Mine;
///
/// instance! { impl primitives::Select<Slice<f64>, If<IsPositive>> for Mine; }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct If<P> {
    pub(crate) predicate: P,
}

/// The first elements of pairs whose second, a flag, isn't zero: the choice of [`select_flagged`](crate::Primitives::select_flagged).
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::Flagged;
/// use gridwright_primitives::source::{Slice, Zip};
///
/// /// Stands for this crate's instances.
/// pub struct Mine;
///
/// instance! { impl primitives::Select<Zip<Slice<f64>, Slice<u32>>, Flagged> for Mine; }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Flagged;

/// The first elements of runs of neighbours that an operator finds equal: the choice of [`unique`](crate::Primitives::unique).
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::First;
/// use gridwright_primitives::operators::Equal;
/// use gridwright_primitives::source::Slice;
///
/// /// Stands for this crate's instances.
/// pub struct Mine;
///
/// instance! { impl primitives::Select<Slice<f64>, First<Equal>> for Mine; }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct First<E> {
    pub(crate) equal: E,
}

argument!([P: KernelArg] If<P> { predicate: P });
argument!([] Flagged {});
argument!([E: KernelArg] First<E> { equal: E });

impl<T: KernelArg, P: Operator<(T,), Output = bool>> Choice<T> for If<P> {
    type Kept = T;
    const LOOKS_BACK: bool = false;

    #[inline(always)]
    fn chooses(self, _: bool, _: T, item: T) -> bool {
        let Self { predicate } = self;
        predicate.call((item,))
    }

    #[inline(always)]
    fn kept(item: T) -> T {
        item
    }
}

impl<T: KernelArg, F: Flag> Choice<(T, F)> for Flagged {
    type Kept = T;
    const LOOKS_BACK: bool = false;

    #[inline(always)]
    fn chooses(self, _: bool, _: (T, F), (_, flag): (T, F)) -> bool {
        flag.is_set()
    }

    #[inline(always)]
    fn kept((item, _): (T, F)) -> T {
        item
    }
}

impl<T: KernelArg, E: Operator<(T, T), Output = bool>> Choice<T> for First<E> {
    type Kept = T;
    const LOOKS_BACK: bool = true;

    #[inline(always)]
    fn chooses(self, is_first: bool, before: T, item: T) -> bool {
        let Self { equal } = self;
        is_first || !equal.call((before, item))
    }

    #[inline(always)]
    fn kept(item: T) -> T {
        item
    }
}

/// What can be a flag: a `u8`, a `u32`, and a `bool` that an operator gives.
///
/// ```
/// assert!(gridwright_primitives::Flag::is_set(2_u8));
/// ```
pub trait Flag: Copy + Send + Sync + 'static {
    /// Whether it is set.
    ///
    /// ```
    /// use gridwright_primitives::Flag;
    ///
    /// assert!(!0_u32.is_set() && true.is_set());
    /// ```
    fn is_set(self) -> bool;
}

impl Flag for u8 {
    #[inline(always)]
    fn is_set(self) -> bool {
        self != 0
    }
}

impl Flag for u32 {
    #[inline(always)]
    fn is_set(self) -> bool {
        self.index() != 0
    }
}

impl Flag for bool {
    #[inline(always)]
    fn is_set(self) -> bool {
        self
    }
}

/// How many elements of a thread are chosen, of which the sums are of 64 bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub(crate) struct Count {
    chosen: u32,
}

argument!([] Count { chosen: u32 });

impl Found<u64> for Count {
    const IS_THERE: bool = true;

    #[inline(always)]
    fn of(value: Maybe<u64>) -> Self {
        Self { chosen: value.any() as u32 }
    }

    #[inline(always)]
    fn maybe(self) -> Maybe<u64> {
        let Self { chosen } = self;
        Maybe::some(u64::from(chosen))
    }

    #[inline(always)]
    fn then(self, next: Self, _: impl Fn(u64, u64) -> u64) -> Self {
        let (Self { chosen: a }, Self { chosen: b }) = (self, next);
        Self { chosen: a + b }
    }
}

/// Writes what is chosen, of `len` elements in all, and how many there are. Where `PARTITION`, the others come behind the `total` that is
/// chosen.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`. There is a group for each tile of them. `state` has words for as many,
/// which are zero, or say what is before each where groups don't look back. `total` is what [`count_tiles`] counts, where `PARTITION`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn select_tiles<S, C, const PARTITION: bool>(
    g: &Group,
    source: S,
    choice: C,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    total: &[u64],
    mut out: PerThread<[<C as Choice<<S as crate::source::Source>::Item>>::Kept]>,
    chosen: Atomic<[u64]>,
    state: Atomic<[u64]>,
    mut memory: Workgroup<[u32; WORDS]>,
) where
    S: Fused<Item: Send + Sync>,
    C: Choice<S::Item>,
{
    let tile = next_tile(g, &state);
    let first = tile * tile_of::<S::Item>();
    let count = (len - first).min(tile_of::<S::Item>());
    let is_last = len - first <= tile_of::<S::Item>();
    // SAFETY: tiles are parts of the input; nothing was in the memory.
    let items = unsafe { load(g, &mut memory, source, first, count, (a, b, c)) };
    let before = if C::LOOKS_BACK {
        // SAFETY: the tile was just loaded.
        unsafe { load_before(g, &mut memory, source, first, count, (a, b, c)) }
    } else {
        g.map(&items, |_, items| items[0])
    };
    // A bit for each of a thread's elements.
    let flags = g.map((&items, &before), |t, (items, before)| {
        let number = t.local().x * items_of::<S::Item>();
        let chooses = |item: usize| {
            let is_first = item == 0 && first + number == 0;
            let before = if item == 0 { *before } else { items[item - 1] };
            u32::from(choice.chooses(is_first, before, items[item])) << item
        };
        let flags = (0..items_of::<S::Item>()).fold(0, |flags, item| flags | chooses(item));
        // Behind the tile's end are any of its elements.
        let there = count.saturating_sub(number).min(items_of::<S::Item>());
        flags & ((1 << there) - 1)
    });
    let totals = g.map(&flags, |_, flags| Count { chosen: flags.count_ones() });
    let add = |a: u64, b: u64| a.wrapping_add(b);
    let before = |w: &Warp<'_, _>, own| before_tile(w, &state, tile, Maybe::some(0), own, is_last, add);
    // SAFETY: nothing was in the slots.
    let offsets = unsafe { before_threads::<true, _, u64, _, _, _>(g, &mut memory, &totals, before, add) };
    let slots = Slots::<u64>::new(&mut memory, true);
    let board = Board::<C::Kept, S::Item>::new(&mut memory);
    // SAFETY: each element is chosen by one thread, and offsets are sums of how many are.
    let out = unsafe { out.anywhere() };
    // SAFETY: these slots were written before the barrier that was last.
    let bounds = move || unsafe {
        let [start, end]: [Always<u64>; 2] = [slots.get(0), slots.get(WARPS)];
        (start.maybe().any(), end.maybe().any())
    };
    let all = if PARTITION { total[0] } else { 0 };
    let set = move |t: Thread<'_>, to: usize, kept: C::Kept| {
        if to < out.len() {
            // SAFETY: just seen.
            unsafe { out.set_unchecked(t, to, kept) };
        }
    };
    // Where the first goes that isn't chosen, were it the tile's first element.
    let others = move |start: u64| (all + (first as u64 - start)) as usize;
    let fits = const { tile_of::<S::Item>() * size_of::<C::Kept>() <= ROWS_BYTES };
    // What is chosen in the tile, and behind it what isn't.
    g.each((&items, &flags, &offsets, memory.atomic()), |t, (items, flags, offset, _)| {
        let (start, end) = bounds();
        let chosen = (end - start) as u32;
        let mut at = (offset.any() - start) as u32;
        let number = (t.local().x * items_of::<S::Item>()) as u32;
        for item in 0..items_of::<S::Item>() {
            let is_chosen = flags >> item & 1 != 0;
            if is_chosen || PARTITION && ((number + item as u32) as usize) < count {
                let other = (number + item as u32).wrapping_sub(at);
                let kept = C::kept(items[item]);
                if fits {
                    let to = if is_chosen { at } else { chosen + other };
                    // SAFETY: places differ, and are below the tile's count.
                    unsafe { board.set(to as usize, kept) };
                } else {
                    set(
                        t,
                        if is_chosen { start as usize + at as usize } else { others(start) + other as usize },
                        kept,
                    );
                }
            }
            at += u32::from(is_chosen);
        }
    });
    g.each((), |t, ()| {
        let (start, end) = bounds();
        let chosen_here = (end - start) as usize;
        if fits {
            // SAFETY: places below were written before the barrier.
            unsafe { board.put_all(t, start as usize, 0, chosen_here, set) };
            if PARTITION {
                let start = others(start).wrapping_sub(chosen_here);
                // SAFETY: what isn't chosen was written before the barrier too.
                unsafe { board.put_all(t, start, chosen_here, count, set) };
            }
        }
        if is_last && t.local().x == 0 {
            chosen.set(t, 0, end);
        }
    });
}

/// Counts what is chosen, of `len` elements in all: adds it to the `total`, or where there is a state publishes it for each tile.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn count_tiles<S, C>(
    g: &Group,
    source: S,
    choice: C,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    total: Atomic<[u64]>,
    state: Atomic<[u64]>,
) where
    S: Fused,
    C: Choice<S::Item>,
{
    let tile = g.index();
    let first = tile * tile_of::<S::Item>();
    let counts = g.map((), |t, ()| {
        let mut chosen = 0_u32;
        for item in 0..items_of::<S::Item>() {
            let i = first + item * BLOCK + t.local().x;
            if i < len {
                // SAFETY: just seen.
                let item = unsafe { source.at(i, a, b, c) };
                // SAFETY: there are elements up to `i`.
                let before = if C::LOOKS_BACK { unsafe { source.at(i.max(1) - 1, a, b, c) } } else { item };
                chosen += u32::from(choice.chooses(i == 0, before, item));
            }
        }
        chosen
    });
    let chosen = g.reduce_add(&counts);
    g.each((), |t, ()| {
        if t.local().x > 0 {
            return;
        }
        if state.len() > 0 {
            publish(t, &state, tile, u64::from(chosen), OF_TILE);
        } else {
            total.fetch_add(t, 0, u64::from(chosen));
        }
    });
}

kernel_trait! {
    /// What [`select`](crate::Primitives::select), [`select_flagged`](crate::Primitives::select_flagged) and
    /// [`unique`](crate::Primitives::unique) launch for a source and a choice: [`If`], [`Flagged`], [`First`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Equal;
    /// use gridwright_primitives::source::{Slice, Zip};
    /// use gridwright_primitives::{First, Flagged};
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Select<Slice<f64>, First<Equal>> for Mine; }
    /// instance! { impl primitives::Select<Zip<Slice<f64>, Slice<u8>>, Flagged> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Select<S: Fused<Item: Send + Sync>, C: Choice<S::Item>> {
        /// Counts what is chosen in a tile, where groups don't look back.
        type Counts = crate::kernels::select::count_tiles<S, C>;
        /// Writes what is chosen in a tile.
        type Tiles = crate::kernels::select::select_tiles<S, C, false>;
    }
}

kernel_trait! {
    /// What [`partition`](crate::Primitives::partition) launches for a source and a choice, [`If`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::If;
    /// use gridwright_primitives::source::Slice;
    ///
    /// operator! { pub struct IsPositive = |x: f64| -> bool { x > 0.0 }; }
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Partition<Slice<f64>, If<IsPositive>> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Partition<S: Fused<Item: Send + Sync>, C: Choice<S::Item>> {
        /// Counts what is chosen in a tile.
        type Counts = crate::kernels::select::count_tiles<S, C>;
        /// Writes what is chosen in a tile, and what isn't.
        type Tiles = crate::kernels::select::select_tiles<S, C, true>;
    }
}
