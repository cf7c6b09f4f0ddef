//! A phase: loops over the group's threads, one function for each number of views and each instruction set.

use core::hint::{assert_unchecked, black_box};

use super::cells::{Cells, Results};
use super::panicked::Witness;
use super::team::{GroupShape, Seat, Team};
use super::{Identity, Isa};
use crate::block::Block;
use crate::thread::Repeatable;
use crate::{Items, Thread, View};

/// Threads of a row that repeat together in `each_while`: with fewer, the loop around them costs more than they do.
const fn bundle(isa: Isa) -> usize {
    match isa {
        Isa::Avx512 => 64,
        _ => 32,
    }
}

/// The most threads in a bundle.
const MOST: usize = 64;

/// A row's length in a form that keeps its loop a loop: LLVM unrolls one of a small constant length before it could be
/// vectorised, and a constant times an unknown it doesn't know the length of.
#[derive(Clone, Copy)]
struct Width {
    quotient: usize,
    factor: usize,
}

impl Width {
    #[inline(always)]
    fn of<S: GroupShape>(shape: S) -> Self {
        let [cols, ..] = shape.block().sizes();
        if !S::Block::IS_FIXED {
            return Self { quotient: cols, factor: 1 };
        }
        let power = 1 << cols.trailing_zeros();
        let factor = if power > 64 { 64 } else { power };
        Self { quotient: black_box(cols / factor), factor }
    }

    #[inline(always)]
    fn get<S: GroupShape>(self, shape: S) -> usize {
        if !S::Block::IS_FIXED {
            return self.quotient;
        }
        let [cols, ..] = shape.block().sizes();
        // SAFETY: the quotient is what `of` made, so that the product is the number of columns.
        unsafe {
            assert_unchecked(self.quotient <= cols / self.factor);
            self.quotient.unchecked_mul(self.factor)
        }
    }
}

/// How a phase goes through the group: the first `limit` threads, row after row.
#[derive(Clone, Copy)]
struct Course<'k, S> {
    shape: S,
    seat: Seat<'k>,
    width: Width,
    limit: usize,
}

impl<'k, S: GroupShape> Course<'k, S> {
    /// The threads of a row that take part.
    #[inline(always)]
    fn row<const PARTIAL: bool>(&self, y: usize, z: usize) -> usize {
        if !PARTIAL {
            return self.width.get(self.shape);
        }
        let [cols, rows, _] = self.shape.block().sizes();
        self.limit.saturating_sub((z * rows + y) * cols).min(cols)
    }

    #[inline(always)]
    fn thread(&self, x: usize, y: usize, z: usize) -> Identity<'k> {
        self.seat.thread(self.shape, x, y, z)
    }
}

macro_rules! loops {
    ($each:ident $repeat:ident $branch:ident [$($target:meta)?] $($view:ident $arg:ident $sizes:ident),*) => {
        /// # Safety
        /// This machine has the instruction set, and the views were checked for the group.
        $(#[$target])?
        #[inline(never)]
        #[allow(clippy::too_many_arguments)]
        pub(super) unsafe fn $each<S: GroupShape, $($view: View,)* F, const PARTIAL: bool>(
            course: Course<'_, S>,
            $(mut $arg: $view::Arg, $sizes: $view::Sizes,)*
            body: F,
        ) where
            F: for<'t, 'i> Fn(Thread<'t>, ($($view::Item<'i>,)*)),
        {
            let [_, rows, planes] = course.shape.block().sizes();
            for z in 0..planes {
                for y in 0..rows {
                    for x in 0..course.row::<PARTIAL>(y, z) {
                        let thread = course.thread(x, y, z);
                        let witness = Witness::new(thread);
                        // SAFETY: the caller's contract; the items of the thread before are gone.
                        body(Thread::new(thread), unsafe { ($($view::item(&mut $arg, $sizes, thread),)*) });
                        witness.dismiss();
                    }
                }
            }
        }

        /// Repeats each thread's body until it returns false, many threads at a time: the state of each is taken out of
        /// memory, and a call's changes are kept only if it returned true. A thread that has finished thus repeats its
        /// last call on the same state, and when all have, one more call keeps its changes.
        ///
        /// # Safety
        /// This machine has the instruction set, and the views were checked for the group.
        $(#[$target])?
        #[inline(never)]
        #[allow(clippy::too_many_arguments, non_snake_case)] // a view's type names its state, too
        pub(super) unsafe fn $repeat<S: GroupShape, $($view: View,)* F, const PARTIAL: bool>(
            course: Course<'_, S>,
            $(mut $arg: $view::Arg, $sizes: $view::Sizes,)*
            body: F,
        ) where
            F: for<'t, 'i> Fn(Thread<'t, Repeatable>, ($($view::Item<'i>,)*)) -> bool,
        {
            let [_, rows, planes] = course.shape.block().sizes();
            let bundle = bundle(S::ISA);
            for z in 0..planes {
                for y in 0..rows {
                    let width = course.row::<PARTIAL>(y, z);
                    let mut first = 0;
                    while first < width {
                        let last = width - 1 - first;
                        let thread = |lane: usize| course.thread(first + lane.min(last), y, z);
                        // SAFETY: the caller's contract.
                        $(let mut $sizes = ($sizes, core::array::from_fn::<_, MOST, _>(|lane| unsafe {
                            $view::load(&mut $arg, $sizes, thread(lane.min(bundle - 1)))
                        }));)*
                        let mut finished = false;
                        loop {
                            let mut any = false;
                            for lane in 0..bundle {
                                let thread = thread(lane);
                                $(let (_, states) = &mut $sizes; let before = states[lane]; let mut state = before; let $view = (before, &raw mut state);)*
                                let witness = Witness::new(thread);
                                // SAFETY: the states are this bundle's own copies.
                                let goes_on = body(Thread::new(thread), unsafe { ($($view::lend(&mut *$view.1),)*) });
                                witness.dismiss();
                                // SAFETY: the items are gone.
                                $($sizes.1[lane] = if goes_on | finished { unsafe { *$view.1 } } else { $view.0 };)*
                                any |= goes_on;
                            }
                            if finished {
                                break;
                            }
                            finished = !any;
                        }
                        for lane in 0..bundle.min(last + 1) {
                            // SAFETY: the caller's contract.
                            unsafe { $($view::store(&mut $arg, $sizes.0, thread(lane), $sizes.1[lane]);)* }
                        }
                        first += bundle;
                    }
                }
            }
        }

        /// The same, one thread after the other.
        ///
        /// # Safety
        /// This machine has the instruction set, and the views were checked for the group.
        $(#[$target])?
        #[inline(never)]
        #[allow(clippy::too_many_arguments)]
        pub(super) unsafe fn $branch<S: GroupShape, $($view: View,)* F, const PARTIAL: bool>(
            course: Course<'_, S>,
            $(mut $arg: $view::Arg, $sizes: $view::Sizes,)*
            body: F,
        ) where
            F: for<'t, 'i> Fn(Thread<'t>, ($($view::Item<'i>,)*)) -> bool,
        {
            let [_, rows, planes] = course.shape.block().sizes();
            for z in 0..planes {
                for y in 0..rows {
                    for x in 0..course.row::<PARTIAL>(y, z) {
                        let thread = course.thread(x, y, z);
                        let witness = Witness::new(thread);
                        // SAFETY: the caller's contract; the items of the call before are gone.
                        while body(Thread::new(thread), unsafe { ($($view::item(&mut $arg, $sizes, thread),)*) }) {}
                        witness.dismiss();
                    }
                }
            }
        }
    };
}

/// Calls a loop function of this machine's instruction set, for a group that takes part as a whole or in part.
macro_rules! call {
    ($baseline:ident $avx2:ident $avx512:ident, $team:ident, $body:ident, $($view:ident $arg:ident $sizes:ident $i:tt $views:ident),*) => {{
        let sizes = $team.sizes();
        let threads = $team.threads();
        let limit = threads $(.min($views.$i.limit()))*;
        $($views.$i.check(sizes, limit);)*
        let course = Course { shape: $team.shape, seat: $team.seat, width: Width::of($team.shape), limit };
        $(let ($arg, $sizes) = $views.$i.open();)*
        // SAFETY: the shape exists, so its instruction set does; the views were just checked.
        unsafe {
            macro_rules! with {
                ($partial:literal) => {
                    match S::ISA {
                        #[cfg(target_arch = "x86_64")]
                        Isa::Avx512 => $avx512::<S, $($view,)* _, $partial>(course, $($arg, $sizes,)* $body),
                        #[cfg(target_arch = "x86_64")]
                        Isa::Avx2 => $avx2::<S, $($view,)* _, $partial>(course, $($arg, $sizes,)* $body),
                        _ => $baseline::<S, $($view,)* _, $partial>(course, $($arg, $sizes,)* $body),
                    }
                };
            }
            if const { false $(|| $view::PARTIAL)* } { with!(true) } else { with!(false) }
        }
    }};
}

macro_rules! arity {
    ($module:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*) => {
        #[allow(dead_code, unused_unsafe, unused_variables)] // `nine` only serves `map`, and `none` has no views
        mod $module {
            use super::*;

            loops!(baseline repeat_baseline branch_baseline [] $($view $arg $sizes),*);
            #[cfg(target_arch = "x86_64")]
            loops!(
                avx2 repeat_avx2 branch_avx2
                [target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")] $($view $arg $sizes),*
            );
            #[cfg(target_arch = "x86_64")]
            loops!(
                avx512 repeat_avx512 branch_avx512 [target_feature(
                    enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl"
                )] $($view $arg $sizes),*
            );

            #[inline(always)]
            pub(super) fn each<S: GroupShape, $($view: View,)* F>(team: &Team<'_, S>, views: ($($view,)*), body: F)
            where
                F: for<'t, 'i> Fn(Thread<'t>, ($($view::Item<'i>,)*)),
            {
                call!(baseline avx2 avx512, team, body, $($view $arg $sizes $i views),*)
            }

            #[inline(always)]
            pub(super) fn each_while<S: GroupShape, $($view: View,)* F>(team: &Team<'_, S>, views: ($($view,)*), body: F)
            where
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, ($($view::Item<'i>,)*)) -> bool,
            {
                call!(repeat_baseline repeat_avx2 repeat_avx512, team, body, $($view $arg $sizes $i views),*)
            }

            #[inline(always)]
            pub(super) fn each_while_branching<S: GroupShape, $($view: View,)* F>(team: &Team<'_, S>, views: ($($view,)*), body: F)
            where
                F: for<'t, 'i> Fn(Thread<'t>, ($($view::Item<'i>,)*)) -> bool,
            {
                call!(branch_baseline branch_avx2 branch_avx512, team, body, $($view $arg $sizes $i views),*)
            }
        }
    };
}

macro_rules! items {
    ($module:ident $next:ident: $($view:ident $name:ident $i:tt),*) => {
        // SAFETY: the loop functions call the body for each thread that takes part, with its items.
        unsafe impl<$($view: View),*> Items for ($($view,)*) {
            type Item<'i> = ($($view::Item<'i>,)*);

            #[inline(always)]
            fn each<S, F>(self, team: &Team<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>),
            {
                $module::each(team, self, body);
            }

            #[inline(always)]
            fn map<'g, S, R, F>(self, team: &Team<'g, S>, body: F) -> Cells<'g, R>
            where
                S: GroupShape,
                R: Copy + 'static,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> R,
            {
                let mut cells = Cells::room(team);
                $next::each(team, (Results(&mut cells), $(self.$i,)*), |thread, (result, $($name,)*)| {
                    result.write(body(thread, ($($name,)*)));
                });
                cells
            }

            #[inline(always)]
            fn each_while<S, F>(self, team: &Team<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, Self::Item<'i>) -> bool,
            {
                $module::each_while(team, self, body);
            }

            #[inline(always)]
            fn each_while_branching<S, F>(self, team: &Team<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> bool,
            {
                $module::each_while_branching(team, self, body);
            }
        }
    };
}

// SAFETY: the tuple of it is.
unsafe impl<V: View> Items for V {
    type Item<'i> = V::Item<'i>;

    #[inline(always)]
    fn each<S, F>(self, team: &Team<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>),
    {
        one::each(team, (self,), |thread, (item,)| body(thread, item));
    }

    #[inline(always)]
    fn map<'g, S, R, F>(self, team: &Team<'g, S>, body: F) -> Cells<'g, R>
    where
        S: GroupShape,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>) -> R,
    {
        <(V,)>::map((self,), team, |thread, (item,)| body(thread, item))
    }

    #[inline(always)]
    fn each_while<S, F>(self, team: &Team<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, V::Item<'i>) -> bool,
    {
        one::each_while(team, (self,), |thread, (item,)| body(thread, item));
    }

    #[inline(always)]
    fn each_while_branching<S, F>(self, team: &Team<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>) -> bool,
    {
        one::each_while_branching(team, (self,), |thread, (item,)| body(thread, item));
    }
}

arity!(none:);
arity!(one: Va a sa 0);
arity!(two: Va a sa 0, Vb b sb 1);
arity!(three: Va a sa 0, Vb b sb 1, Vc c sc 2);
arity!(four: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3);
arity!(five: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3, Ve e se 4);
arity!(six: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3, Ve e se 4, Vf f sf 5);
arity!(seven: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3, Ve e se 4, Vf f sf 5, Vg g sg 6);
arity!(
    eight: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3, Ve e se 4, Vf f sf 5, Vg g sg 6, Vh h sh 7
);
// With the results of `map`.
arity!(
    nine: Va a sa 0, Vb b sb 1, Vc c sc 2, Vd d sd 3, Ve e se 4, Vf f sf 5, Vg g sg 6, Vh h sh 7,
    Vi i si 8
);

items!(none one:);
items!(one two: A a 0);
items!(two three: A a 0, B b 1);
items!(three four: A a 0, B b 1, C c 2);
items!(four five: A a 0, B b 1, C c 2, D d 3);
items!(five six: A a 0, B b 1, C c 2, D d 3, E e 4);
items!(six seven: A a 0, B b 1, C c 2, D d 3, E e 4, Fv f 5);
items!(seven eight: A a 0, B b 1, C c 2, D d 3, E e 4, Fv f 5, G g 6);
items!(eight nine: A a 0, B b 1, C c 2, D d 3, E e 4, Fv f 5, G g 6, H h 7);
