//! A phase: loops over the group's threads, one function for each number of views and each instruction set.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::Isa;
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::{by_instruction_set, by_isa};
use super::prefetch::Ahead;
use super::private_values::{PrivateValues, Results};
use super::thread_order::ThreadOrder;
use super::witness::Witness;
use crate::arch::Turns;
use crate::block::Block;
use crate::thread::Repeatable;
use crate::views::{MOST_IN_REGISTERS, copied, item, put_back};
use crate::{Items, Keep, Thread, View};

/// Threads that repeat together in `each_while`: four vectors, so that a turn of one is computed while others wait for what
/// theirs needs, or fewer where their states would be beyond what registers hold and instructions read beside them, or where
/// there are known to be fewer in a row, or in the rows of which a vector is made as easily as of one.
const fn bundle(isa: Isa, bytes: usize, sizes: Option<[usize; 3]>) -> usize {
    let (registers, width) = match isa {
        Isa::Avx512 => (32, 64),
        Isa::Avx2 => (16, 32),
        Isa::Baseline => (16, 16),
    };
    let [one_vector, most] = [width / size_of::<f32>(), registers * width * 5 / 4];
    let mut threads = 4 * one_vector;
    let side_by_side = match sizes {
        Some([cols, rows, _]) if cols.is_power_of_two() => cols * rows,
        Some([cols, ..]) => cols,
        None => threads,
    };
    while threads > one_vector && (threads * bytes > most || threads / 2 >= side_by_side) {
        threads /= 2;
    }
    threads
}

/// The rows of a bundle of so many threads.
const fn rows_of(threads: usize, sizes: Option<[usize; 3]>) -> usize {
    match sizes {
        Some([cols, ..]) if cols.is_power_of_two() && cols < threads => threads / cols,
        _ => 1,
    }
}

/// The most bytes of state that a thread of a bundle has: all bundles of a call are on the stack.
const MOST_BYTES: usize = 256;

/// Runs a block for each thread that takes part.
macro_rules! for_each_thread {
    ($course:ident, $partial:expr, $thread:ident => $block:block) => {{
        let [_, rows, planes] = $course.shape.block().sizes();
        for z in 0..planes {
            for y in 0..rows {
                for x in 0..$course.row($partial, y, z) {
                    let $thread = $course.thread(x, y, z);
                    let witness = Witness::new($thread);
                    $block
                    witness.dismiss();
                }
            }
        }
    }};
}

/// A loop, and where a view has an edge another for groups that are inside, whose items need no test.
macro_rules! twice_if_edged {
    ($course:ident, [$($view:ident $sizes:ident),*], $loop:expr) => {
        let [threads, group] = [$course.shape.block().sizes(), $course.shape.group()];
        if const { false $(|| $view::EDGED)* }
            && let ($(Some($sizes),)*) = ($($view::inside($sizes, threads.iter().product(), group, $course.thread(0, 0, 0)),)*)
        {
            $loop
        } else {
            $loop
        }
    };
}

/// Room for the few values that all threads of a phase update.
#[repr(align(16))]
struct Registers(MaybeUninit<[u8; MOST_IN_REGISTERS]>);

/// Whether one view alone has memory that all threads update and that registers hold. Of two, both may have the same.
macro_rules! in_registers {
    ($($view:ident)*) => {
        const { 0 $(+ ($view::UPDATED > 0) as usize)* == 1 }
    };
}

/// Runs a loop. What all threads update is a variable of the loop's function meanwhile, and so is in a register: in memory, each
/// update would wait for the one before to be stored. No other view of the phase has that memory.
macro_rules! with_updates_in_registers {
    ($alone:ident, [$($view:ident $arg:ident),*], $loop:expr) => {
        let mut registers = Registers(MaybeUninit::uninit());
        let here: *mut u8 = registers.0.as_mut_ptr().cast();
        let mut there: *mut u8 = core::ptr::null_mut();
        let $alone = in_registers!($($view)*);
        $(if $alone && const { $view::UPDATED > 0 } {
            // SAFETY: the view's memory is as large as it says, and so are the registers, which are aligned to 16 bytes; they get what
            // is there before an item is lent.
            unsafe {
                there = $view::move_updates(&mut $arg, here);
                here.copy_from_nonoverlapping(there, $view::UPDATED);
            }
        })*
        $loop;
        $(if $alone && const { $view::UPDATED > 0 } {
            // SAFETY: the view's memory is as large as it says, and all items that wrote to the registers are gone.
            unsafe { here.copy_to_nonoverlapping(there, $view::UPDATED) };
        })*
    };
}

/// Calls a function whose first generic parameter is a number that is known when this is compiled: one of these.
macro_rules! by_number {
    ($number:expr, [$($one:literal),*], $function:ident $types:tt $arguments:tt) => {
        $(if const { $number == $one } {
            by_number!(call $function $one $types $arguments)
        } else)* {
            unreachable!()
        }
    };
    (call $function:ident $one:literal [$($type:ident),*] ($($argument:expr),* $(,)?)) => {
        $function::<$one $(, $type)*>($($argument),*)
    };
}

/// The loops for so many views, whose items are together `$item`, made as `$make!(view argument sizes thread, …)`.
macro_rules! arity {
    ($module:ident, $item:ty, $make:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*) => {
        #[allow(
            // With no views.
            unused_comparisons,
            unused_mut,
            unused_unsafe,
            unused_variables,
            // A view's type names its states, and what its sizes are called, the one at hand.
            non_snake_case,
            clippy::too_many_arguments,
        )]
        mod $module {
            use super::*;

            by_instruction_set! {
                /// Calls the closure once for each thread.
                inline Each [S: GroupShape, $($view: View),*] [S, $($view),*]
                where F: [for<'t, 'i> Fn(Thread<'t>, $item)],
                fn(body, context: &GroupContext<'_, S>, limit: usize, $($arg: $view::Arg, $sizes: $view::Sizes),*) {
                    let course = ThreadOrder::of(context, limit);
                    $(let mut $arg = $arg;)*
                    with_updates_in_registers!(alone, [$($view $arg),*], {
                        twice_if_edged!(course, [$($view $sizes),*], for_each_thread!(
                        course, const { false $(|| $view::PARTIAL)* }, thread => {
                            $(let mut $view = copied!($view $arg $sizes thread, alone);)*
                            // SAFETY: the loop's caller checked the views for this context; the items of the thread before are gone.
                            let items = unsafe { $make!($(item!($view $arg $sizes thread)),*) };
                            body(Thread::new(thread), items);
                            $(put_back!($view $arg $sizes thread);)*
                        }
                        ));
                    });
                }
            }

            by_instruction_set! {
                /// Calls the closure once for each thread, and keeps what it returns.
                inline Map [S: GroupShape, R: Copy + 'static, $($view: View),*] [S, R, $($view),*]
                where F: [for<'t, 'i> Fn(Thread<'t>, $item) -> R],
                fn(
                    body, results: &mut [MaybeUninit<R>], context: &GroupContext<'_, S>, limit: usize,
                    $($arg: $view::Arg, $sizes: $view::Sizes),*
                ) {
                    let course = ThreadOrder::of(context, limit);
                    $(let mut $arg = $arg;)*
                    with_updates_in_registers!(alone, [$($view $arg),*], {
                        twice_if_edged!(course, [$($view $sizes),*], for_each_thread!(
                        course, const { false $(|| $view::PARTIAL)* }, thread => {
                            $(let mut $view = copied!($view $arg $sizes thread, alone);)*
                            // SAFETY: the loop's caller checked the views for this context; the items of the thread before are gone.
                            let items = unsafe { $make!($(item!($view $arg $sizes thread)),*) };
                            let result = body(Thread::new(thread), items);
                            $(put_back!($view $arg $sizes thread);)*
                            // SAFETY: there is room for a result of each thread.
                            unsafe { results.get_unchecked_mut(thread.number()) }.write(result);
                        }
                        ));
                    });
                }
            }

            by_instruction_set! {
                /// Repeats each thread's call until it returns false or its turns are over, many threads at a time: the state
                /// of each is taken out of memory, and a call's changes are kept only if it returned true. A thread that has
                /// finished thus repeats its last call on the same state, until all have: then the changes of all last calls
                /// are kept.
                Repeat [S: GroupShape, N: Turns, $($view: View),*] [S, N, $($view),*]
                where F: [for<'t, 'i> Fn(Thread<'t, Repeatable>, $item) -> bool],
                fn(body, turns: N, context: &GroupContext<'_, S>, limit: usize, $($arg: $view::Arg, $sizes: $view::Sizes),*) {
                    let course = ThreadOrder::of(context, limit);
                    $(let mut $arg = $arg;)*
                    if const { 0 $(+ size_of::<$view::State>())* > MOST_BYTES } {
                        // So much state would cost more to keep apart than it saves.
                        for_each_thread!(course, const { false $(|| $view::PARTIAL)* }, thread => {
                            $(let mut $view = copied!($view $arg $sizes thread);)*
                            let mut turns = turns;
                            while turns.take_one() {
                                // SAFETY: the loop's caller checked the views for this context; the items of the call before are gone.
                                let items = unsafe { $make!($(item!($view $arg $sizes thread)),*) };
                                if !body(Thread::new(thread), items) {
                                    break;
                                }
                            }
                            $(put_back!($view $arg $sizes thread);)*
                        });
                        return;
                    }
                    let threads = const { bundle(S::ISA, 0 $(+ size_of::<$view::State>())*, S::Block::SIZES) };
                    let [_, rows, planes] = course.shape.block().sizes();
                    for z in 0..planes {
                        for y in (0..rows).step_by(rows_of(threads, S::Block::SIZES)) {
                            // SAFETY: the loop's caller checked the views for this context, as `row_in_bundles` asks.
                            unsafe {
                                by_number!(
                                    bundle(S::ISA, 0 $(+ size_of::<$view::State>())*, S::Block::SIZES), [4, 8, 16, 32, 64],
                                    row_in_bundles [F, S, N $(, $view)*] (&body, turns, course, [y, z], $(&mut $arg, $sizes),*)
                                );
                            }
                        }
                    }
                }
            }

            /// The threads of a row, so many at a time, or of so many in short rows.
            ///
            /// # Safety
            /// As for the loops.
            #[inline(always)]
            unsafe fn row_in_bundles<const THREADS: usize, F, S: GroupShape, N: Turns, $($view: View),*>(
                body: &F, turns: N, course: ThreadOrder<'_, S>, [y, z]: [usize; 2],
                $($arg: &mut $view::Arg, $sizes: $view::Sizes),*
            ) where
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, $item) -> bool,
            {
                let rows = const { rows_of(THREADS, S::Block::SIZES) };
                let width = course.rows(const { false $(|| $view::PARTIAL)* }, rows, y, z);
                for first in (0..width).step_by(THREADS) {
                    let last = width - 1 - first;
                    let is_whole = last >= THREADS - 1;
                    let neighbour = |lane: usize| match rows {
                        1 => course.thread(first + lane, y, z),
                        _ => course.thread_from(lane, y, z),
                    };
                    // Those beyond the end are as the last thread, and nothing of theirs is kept.
                    let at = |lane: usize| neighbour(lane.min(last));
                    $(let mut $view: [_; THREADS] = if is_whole {
                        // SAFETY: the loop's caller checked the view for these threads' context, and none has an item yet.
                        core::array::from_fn(|lane| unsafe { $view::load($arg, $sizes, neighbour(lane)) })
                    } else {
                        // SAFETY: the loop's caller checked the view for these threads' context, and none has an item yet.
                        core::array::from_fn(|lane| unsafe { $view::load($arg, $sizes, at(lane)) })
                    };)*
                    // What a turn's calls left, of which all are kept in the end.
                    let mut last_turn = ($($view,)*);
                    let mut turns = turns;
                    while turns.take_one() {
                        let mut any = false;
                        for lane in 0..THREADS {
                            let thread = at(lane);
                            $(let mut $sizes = $view[lane];)*
                            let witness = Witness::new(thread);
                            // SAFETY: the states are this call's own copies.
                            let items = unsafe { $make!($($view::lend(&mut $sizes)),*) };
                            let goes_on = body(Thread::new(thread), items);
                            witness.dismiss();
                            $(last_turn.$i[lane] = $sizes;)*
                            // Written as an `if`, it becomes a store or none, which isn't vectorised.
                            $($view[lane] = select_unpredictable(goes_on, $sizes, $view[lane]);)*
                            any |= goes_on;
                        }
                        if !any {
                            break;
                        }
                    }
                    $(let $view = last_turn.$i;)*
                    // A loop of a length that is known is a few vectors.
                    if is_whole {
                        for lane in 0..THREADS {
                            // SAFETY: the loop's caller checked the views for this thread's context, and its items are gone.
                            unsafe { $($view::store($arg, $sizes, neighbour(lane), $view[lane]);)* }
                        }
                    } else {
                        for lane in 0..=last {
                            // SAFETY: the loop's caller checked the views for this thread's context, and its items are gone.
                            unsafe { $($view::store($arg, $sizes, neighbour(lane), $view[lane]);)* }
                        }
                    }
                }
            }

            by_instruction_set! {
                /// Repeats each thread's call until it returns false, one thread after the other.
                Branch [S: GroupShape, $($view: View),*] [S, $($view),*]
                where F: [for<'t, 'i> Fn(Thread<'t>, $item) -> bool],
                fn(body, context: &GroupContext<'_, S>, limit: usize, $($arg: $view::Arg, $sizes: $view::Sizes),*) {
                    let course = ThreadOrder::of(context, limit);
                    $(let mut $arg = $arg;)*
                    with_updates_in_registers!(alone, [$($view $arg),*], for_each_thread!(course, const { false $(|| $view::PARTIAL)* }, thread => {
                        $(let mut $view = copied!($view $arg $sizes thread, alone);)*
                        loop {
                            // SAFETY: the loop's caller checked the views for this context; the items of the call before are gone.
                            let items = unsafe { $make!($(item!($view $arg $sizes thread)),*) };
                            if !body(Thread::new(thread), items) {
                                break;
                            }
                        }
                        $(put_back!($view $arg $sizes thread);)*
                    }));
                }
            }
        }
    };
}

macro_rules! tuple {
    ($($item:expr),*) => { ($($item,)*) };
}

macro_rules! alone {
    ($item:expr) => {
        $item
    };
}

/// `Items`, by the loops of a module.
macro_rules! items {
    ([$($generics:tt)*] $items:ty, $item:ty, $module:ident, $views:ident => $($view:ident $arg:ident $sizes:ident $of:expr),*) => {
        #[allow(
            // With no views.
            unused_unsafe,
            unused_variables,
            // A view's type names what is opened of it.
            non_snake_case,
        )]
        // SAFETY: the loops call the closure for each thread that takes part, with its items.
        unsafe impl<$($generics)*> Items for $items {
            type Item<'i> = $item;

            #[inline(always)]
            fn each<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, $item),
            {
                let $views = self;
                items!(run $module Each<S $(, $view)*> context, (body), $($view $arg $sizes $of),*);
            }

            #[inline(always)]
            fn map<'g, S, R, F>(self, context: &GroupContext<'g, S>, body: F) -> PrivateValues<'g, R>
            where
                S: GroupShape,
                R: Copy + 'static,
                F: for<'t, 'i> Fn(Thread<'t>, $item) -> R,
            {
                let $views = self;
                let mut results = Results::new(context);
                items!(run $module Map<S, R $(, $view)*> context, (body, results.room()), $($view $arg $sizes $of),*);
                // SAFETY: every thread of the group took part, and wrote its own.
                unsafe { results.written() }
            }

            #[inline(always)]
            fn each_while<S, N, F>(self, context: &GroupContext<'_, S>, turns: N, body: F)
            where
                S: GroupShape,
                N: Turns,
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, $item) -> bool,
            {
                let $views = self;
                items!(run $module Repeat<S, N $(, $view)*> context, (body, turns), $($view $arg $sizes $of),*);
            }

            #[inline(always)]
            fn each_while_branching<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, $item) -> bool,
            {
                let $views = self;
                items!(run $module Branch<S $(, $view)*> context, (body), $($view $arg $sizes $of),*);
            }
        }
    };
    (run $module:ident $loop:ident<$($names:ident),*> $context:ident, ($($first:expr),*), $($view:ident $arg:ident $sizes:ident $of:expr),*) => {
        let block = $context.group();
        let threads = $context.threads();
        let limit = threads $(.min($of.limit()))*;
        $($of.check(block, limit);)*
        if false $(|| $of.writes_past_caches(limit))* {
            Ahead::fetch_all([$($of.ahead(limit)),*]);
        }
        // SAFETY: the views were just checked; what keeps their copies lives as long as the loop.
        $(let ($view, $sizes) = unsafe { $of.in_order($context) };)*
        let copies = ($($sizes,)*);
        // SAFETY: what it gives goes to the loop.
        $(let ($arg, $sizes) = unsafe { $view.open() };)*
        // SAFETY: the shape exists, so its instruction set does; the views were just checked.
        unsafe {
            by_isa!(
                S::ISA,
                <F as $module::$loop<$($names),*>>::baseline($($first,)* $context, limit, $($arg, $sizes),*),
                <F as $module::$loop<$($names),*>>::avx2($($first,)* $context, limit, $($arg, $sizes),*),
                <F as $module::$loop<$($names),*>>::avx512($($first,)* $context, limit, $($arg, $sizes),*)
            );
        }
        let ($($sizes,)*) = copies;
        // SAFETY: the loop has ended; had a call panicked, this wouldn't be reached.
        $(unsafe { $sizes.put_back($context, limit) };)*
    };
}

macro_rules! tuples {
    ($module:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*) => {
        arity!($module, ($($view::Item<'i>,)*), tuple: $($view $arg $sizes $i),*);
        items!([$($view: View),*] ($($view,)*), ($($view::Item<'i>,)*), $module, views => $($view $arg $sizes views.$i),*);
    };
}

arity!(lone, V::Item<'i>, alone: V v s 0);
items!([V: View] V, V::Item<'i>, lone, view => V v s view);

gridwright_core::for_tuples!(8, tuples, modules);
