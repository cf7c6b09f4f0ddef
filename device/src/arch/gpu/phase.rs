//! A phase: this thread's part of it.

use super::group_context::{GroupContext, GroupShape};
use super::private_values::PrivateValues;
use crate::arch::Turns;
use crate::thread::Repeatable;
use crate::views::{copied, item, put_back};
use crate::{Access, Items, Thread, View};

macro_rules! items {
    ($count:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*) => {
        // SAFETY: every thread comes by here, and calls the body with its own items if it takes part.
        // With no views; and a view's type names its copy.
        #[allow(unused_mut, unused_unsafe, unused_variables, non_snake_case, clippy::unused_unit)]
        unsafe impl<$($view: View),*> Items for ($($view,)*) {
            type Item<'i> = ($($view::Item<'i>,)*);

            #[inline(always)]
            fn each<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>),
            {
                items!(phase self context thread: $($view $arg $sizes $i),*; {
                    $(let mut $view = copied!($view $arg $sizes thread);)*
                    // SAFETY: the views were checked for the group.
                    body(Thread::new(thread), unsafe { ($(item!($view $arg $sizes thread),)*) });
                    $(put_back!($view $arg $sizes thread);)*
                });
            }

            #[inline(always)]
            fn map<'g, S, R, F>(self, context: &GroupContext<'g, S>, body: F) -> PrivateValues<'g, R>
            where
                S: GroupShape,
                R: Copy + 'static,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> R,
            {
                let value;
                items!(whole self context thread: $($view $arg $sizes $i),*; {
                    $(let mut $view = copied!($view $arg $sizes thread);)*
                    // SAFETY: the views were checked for the group.
                    value = body(Thread::new(thread), unsafe { ($(item!($view $arg $sizes thread),)*) });
                    $(put_back!($view $arg $sizes thread);)*
                });
                PrivateValues::new(value)
            }

            #[inline(always)]
            fn each_while<S, N, F>(self, context: &GroupContext<'_, S>, mut turns: N, body: F)
            where
                S: GroupShape,
                N: Turns,
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, Self::Item<'i>) -> bool,
            {
                items!(phase self context thread: $($view $arg $sizes $i),*; {
                    $(let mut $view = copied!($view $arg $sizes thread);)*
                    // SAFETY: the views were checked for the group; the items of the call before are gone.
                    while turns.take_one()
                        && body(Thread::new(thread), unsafe { ($(item!($view $arg $sizes thread),)*) })
                    {}
                    $(put_back!($view $arg $sizes thread);)*
                });
            }

            #[inline(always)]
            fn each_while_branching<S, F>(self, context: &GroupContext<'_, S>, body: F)
            where
                S: GroupShape,
                F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> bool,
            {
                items!(phase self context thread: $($view $arg $sizes $i),*; {
                    $(let mut $view = copied!($view $arg $sizes thread);)*
                    // SAFETY: the views were checked for the group; the items of the call before are gone.
                    while body(Thread::new(thread), unsafe { ($(item!($view $arg $sizes thread),)*) }) {}
                    $(put_back!($view $arg $sizes thread);)*
                });
            }
        }
    };
    (phase $this:ident $context:ident $thread:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*; $body:block) => {{
        let threads = $context.threads();
        let limit = threads $(.min($this.$i.limit()))*;
        items!(whole $this $context $thread limit: $($view $arg $sizes $i),*; {
            if !const { false $(|| $view::PARTIAL)* } || $thread.number() < limit $body
        });
    }};
    (whole $this:ident $context:ident $thread:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*; $body:block) => {{
        let threads = $context.threads();
        items!(whole $this $context $thread threads: $($view $arg $sizes $i),*; $body);
    }};
    (whole $this:ident $context:ident $thread:ident $limit:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*; $body:block) => {
        let sizes = $context.sizes();
        $($this.$i.check(sizes, $limit);)*
        // SAFETY: this thread makes one item of it at a time.
        $(let (mut $arg, $sizes) = unsafe { $this.$i.open() };)*
        let access = const {
            let access = Access::None;
            $(let access = access.and($view::ACCESS);)*
            access
        };
        $context.begin(access);
        let $thread = $context.thread();
        $body
        $context.end(access);
    };
}

gridwright_core::for_tuples!(8, items, modules);

// SAFETY: the tuple of it is.
unsafe impl<V: View> Items for V {
    type Item<'i> = V::Item<'i>;

    #[inline(always)]
    fn each<S, F>(self, context: &GroupContext<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>),
    {
        <(V,)>::each((self,), context, |thread, (item,)| body(thread, item));
    }

    #[inline(always)]
    fn map<'g, S, R, F>(self, context: &GroupContext<'g, S>, body: F) -> PrivateValues<'g, R>
    where
        S: GroupShape,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>) -> R,
    {
        <(V,)>::map((self,), context, |thread, (item,)| body(thread, item))
    }

    #[inline(always)]
    fn each_while<S, N, F>(self, context: &GroupContext<'_, S>, turns: N, body: F)
    where
        S: GroupShape,
        N: Turns,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, V::Item<'i>) -> bool,
    {
        <(V,)>::each_while((self,), context, turns, |thread, (item,)| body(thread, item));
    }

    #[inline(always)]
    fn each_while_branching<S, F>(self, context: &GroupContext<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, V::Item<'i>) -> bool,
    {
        <(V,)>::each_while_branching((self,), context, |thread, (item,)| body(thread, item));
    }
}
