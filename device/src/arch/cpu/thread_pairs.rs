//! Thread kernels with more parameters than the loops take: two are passed as one.

use core::marker::PhantomData;

use super::thread_loops::Views;
use super::thread_view::ThreadView;
use super::{Chunk, Facts, Identity, Rect, Shape};
use crate::Thread;
use crate::tuples::tuples_in_pairs;

/// The passing of two parameters.
#[derive(Debug)]
#[allow(unreachable_pub)]
pub struct Both<A, B>(PhantomData<(A, B)>);

// SAFETY: the facts hold where both parameters' do.
unsafe impl<A: ThreadView, B: ThreadView> ThreadView for Both<A, B> {
    type Raw = (A::Raw, B::Raw);
    type Arg = (A::Arg, B::Arg);
    type Sizes = (A::Sizes, B::Sizes);
    type Item<'i> = (A::Item<'i>, B::Item<'i>);
    type Open = (A::Open, B::Open);

    #[inline(always)]
    unsafe fn window((a, b): &Self::Raw, chunk: &Chunk<'_>) -> (Self::Arg, Self::Sizes) {
        // SAFETY: both point at live memory with their kind of access, as this function asks.
        let ((a, of_a), (b, of_b)) = unsafe { (A::window(a, chunk), B::window(b, chunk)) };
        ((a, b), (of_a, of_b))
    }

    fn interior((a, b): &Self::Raw, chunk: &Chunk<'_>) -> Rect {
        A::interior(a, chunk).intersection(&B::interior(b, chunk))
    }

    #[inline(always)]
    fn open((a, b): Self::Arg, (of_a, of_b): Self::Sizes) -> Self::Open {
        (A::open(a, of_a), B::open(b, of_b))
    }

    #[inline(always)]
    unsafe fn item<'i>((a, b): &mut Self::Open, thread: Identity<'_>) -> Self::Item<'i> {
        // SAFETY: the thread is of the chunk, and its earlier items are gone, as this function asks.
        unsafe { (A::item(a, thread), B::item(b, thread)) }
    }

    #[inline(always)]
    unsafe fn assume((a, b): &Self::Open, thread: Identity<'_>, facts: Facts) {
        // SAFETY: the thread is in the interior of both, or its column is, as this function asks.
        unsafe {
            A::assume(a, thread, facts);
            B::assume(b, thread, facts);
        }
    }
}

macro_rules! parameters {
    ([$([[$first:ident $a:ident] [$second:ident $b:ident]])*] [$([$alone:ident $c:ident])*]) => {
        // SAFETY: the parameters with pairs are the same, and their `run` calls the body once for each thread.
        unsafe impl<$($first: ThreadView, $second: ThreadView,)* $($alone: ThreadView),*> Views
            for ($($first, $second,)* $($alone,)*)
        {
            type Raw = ($($first::Raw, $second::Raw,)* $($alone::Raw,)*);
            type Items<'i> = ($($first::Item<'i>, $second::Item<'i>,)* $($alone::Item<'i>,)*);

            fn interior(raw: &Self::Raw, chunk: &Chunk<'_>, direct: u64) -> Rect {
                let ($($a, $b,)* $($c,)*) = *raw;
                <($(Both<$first, $second>,)* $($alone,)*) as Views>::interior(&($(($a, $b),)* $($c,)*), chunk, direct)
            }

            #[inline(always)]
            unsafe fn run<S, F>(shape: S, chunk: &Chunk<'_>, raw: &Self::Raw, body: F)
            where
                S: Shape,
                F: for<'t> Fn(Thread<'t>, Self::Items<'t>),
            {
                let ($($a, $b,)* $($c,)*) = *raw;
                let raw = ($(($a, $b),)* $($c,)*);
                // SAFETY: the memory is live until this returns, with each parameter's kind of access, and `chunk.running` lies in the
                // launch, with the shape's sizes and facts, as this function asks.
                unsafe {
                    <($(Both<$first, $second>,)* $($alone,)*) as Views>::run(
                        shape, chunk, &raw, |thread, ($(($a, $b),)* $($c,)*)| body(thread, ($($a, $b,)* $($c,)*)),
                    );
                }
            }
        }
    };
}

tuples_in_pairs!(12, parameters);
