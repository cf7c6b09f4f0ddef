//! Phases with more views than their loops take: two views are handed out as one.

use super::{Access, Items, Keep, View};
use crate::Thread;
use crate::arch::{Ahead, GroupContext, GroupShape, Identity, PrivateValues, Turns};
use crate::thread::Repeatable;
use crate::tuples::tuples_in_pairs;

/// Two views, of which a thread gets an item each.
#[derive(Debug)]
#[allow(unreachable_pub)]
pub struct Both<V, W>(V, W);

// SAFETY: each view's own promise; the access is of both.
unsafe impl<V: View, W: View> View for Both<V, W> {
    type Item<'i> = (V::Item<'i>, W::Item<'i>);
    type Arg = (V::Arg, W::Arg);
    type Sizes = (V::Sizes, W::Sizes);
    type State = (V::State, W::State);

    const ACCESS: Access = V::ACCESS.and(W::ACCESS);
    const PARTIAL: bool = V::PARTIAL || W::PARTIAL;
    const BY_VALUE: bool = V::BY_VALUE || W::BY_VALUE;
    const EDGED: bool = V::EDGED || W::EDGED;

    #[inline(always)]
    fn limit(&self) -> usize {
        self.0.limit().min(self.1.limit())
    }

    #[inline(always)]
    #[track_caller]
    fn check(&self, block: [usize; 3], threads: usize) {
        self.0.check(block, threads);
        self.1.check(block, threads);
    }

    #[inline(always)]
    fn writes_past_caches(&self, threads: usize) -> bool {
        self.0.writes_past_caches(threads) || self.1.writes_past_caches(threads)
    }

    // Of the two, the first's.
    #[inline(always)]
    fn ahead(&self, threads: usize) -> Ahead {
        self.0.ahead(threads)
    }

    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'g, V, W, G>) {
        // SAFETY: both views were checked for the context, and what they give is opened while the copies live, as this function asks.
        let ((first, kept), (second, also_kept)) =
            unsafe { (self.0.in_order(context), self.1.in_order(context)) };
        (Self(first, second), (kept, also_kept))
    }

    #[inline(always)]
    unsafe fn open(self) -> (Self::Arg, Self::Sizes) {
        // SAFETY: what they give is for one thread's item at a time, as this function asks.
        let ((first, sizes), (second, of_second)) = unsafe { (self.0.open(), self.1.open()) };
        ((first, second), (sizes, of_second))
    }

    #[inline(always)]
    fn inside(
        (sizes, of_second): Self::Sizes,
        threads: usize,
        group: [usize; 3],
        first: Identity<'_>,
    ) -> Option<Self::Sizes> {
        Some((V::inside(sizes, threads, group, first)?, W::inside(of_second, threads, group, first)?))
    }

    #[inline(always)]
    unsafe fn item<'i>(
        (first, second): &mut Self::Arg,
        (sizes, of_second): Self::Sizes,
        thread: Identity<'_>,
    ) -> Self::Item<'i> {
        // SAFETY: both views were checked for the thread's group, and the thread has no other item of either, as this function asks.
        unsafe { (V::item(first, sizes, thread), W::item(second, of_second, thread)) }
    }

    #[inline(always)]
    unsafe fn load(
        (first, second): &mut Self::Arg,
        (sizes, of_second): Self::Sizes,
        thread: Identity<'_>,
    ) -> Self::State {
        // SAFETY: both views were checked for the thread's group, and the thread has no other item of either, as this function asks.
        unsafe { (V::load(first, sizes, thread), W::load(second, of_second, thread)) }
    }

    #[inline(always)]
    unsafe fn lend<'i>((first, second): &'i mut Self::State) -> Self::Item<'i> {
        // SAFETY: both states were loaded from views that still live, as this function asks.
        unsafe { (V::lend(first), W::lend(second)) }
    }

    #[inline(always)]
    unsafe fn store(
        (first, second): &mut Self::Arg,
        (sizes, of_second): Self::Sizes,
        thread: Identity<'_>,
        (state, of_second_state): Self::State,
    ) {
        // SAFETY: both states are the thread's own of these views, and it has no item of either, as this function asks.
        unsafe {
            V::store(first, sizes, thread, state);
            W::store(second, of_second, thread, of_second_state);
        }
    }
}

macro_rules! items {
    ([$([[$first:ident $a:ident] [$second:ident $b:ident]])*] [$([$alone:ident $c:ident])*]) => {
        // SAFETY: the tuple with pairs calls the body once for each thread, with its items.
        unsafe impl<$($first: View, $second: View,)* $($alone: View),*> Items for ($($first, $second,)* $($alone,)*) {
            type Item<'i> = ($($first::Item<'i>, $second::Item<'i>,)* $($alone::Item<'i>,)*);

            #[inline(always)]
            fn each<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>),
            {
                let ($($a, $b,)* $($c,)*) = self;
                Items::each(($(Both($a, $b),)* $($c,)*), context, |thread, ($(($a, $b),)* $($c,)*)| {
                    body(thread, ($($a, $b,)* $($c,)*));
                });
            }

            #[inline(always)]
            fn map<'g, S, R, F>(self, context: &GroupContext<'g, S>, body: F) -> PrivateValues<'g, R>
            where
                S: GroupShape,
                R: Copy + 'static,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> R,
            {
                let ($($a, $b,)* $($c,)*) = self;
                Items::map(($(Both($a, $b),)* $($c,)*), context, |thread, ($(($a, $b),)* $($c,)*)| {
                    body(thread, ($($a, $b,)* $($c,)*))
                })
            }

            #[inline(always)]
            fn each_while<S, N, F>(self, context: &GroupContext<'_, S>, turns: N, body: F)
            where
                S: GroupShape,
                N: Turns,
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, Self::Item<'i>) -> bool,
            {
                let ($($a, $b,)* $($c,)*) = self;
                Items::each_while(($(Both($a, $b),)* $($c,)*), context, turns, |thread, ($(($a, $b),)* $($c,)*)| {
                    body(thread, ($($a, $b,)* $($c,)*))
                });
            }

            #[inline(always)]
            fn each_while_branching<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> bool,
            {
                let ($($a, $b,)* $($c,)*) = self;
                Items::each_while_branching(($(Both($a, $b),)* $($c,)*), context, |thread, ($(($a, $b),)* $($c,)*)| {
                    body(thread, ($($a, $b,)* $($c,)*))
                });
            }
        }
    };
}

tuples_in_pairs!(8, items);
