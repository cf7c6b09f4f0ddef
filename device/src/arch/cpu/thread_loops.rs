//! The loop functions: one for each number of parameters and each instruction set.

use gridwright_core::ParamList;

use super::isa::{by_instruction_set, by_isa};
use super::thread_view::ThreadView;
use super::witness::Witness;
use super::{Chunk, Facts, Identity, Rect, Shape};
use crate::Thread;

/// The parameters of a thread kernel's body: a tuple of [`ThreadView`]s.
///
/// # Safety
/// `run` calls the body once for each thread of `chunk.running`, with items of that thread.
pub unsafe trait Views {
    /// What crosses from the host for all parameters.
    type Raw: Copy;
    /// What the kernel's body gets of the views.
    type Items<'i>;

    /// The positions at which the facts hold of each parameter that has a bit in `direct`.
    fn interior(raw: &Self::Raw, chunk: &Chunk<'_>, direct: u64) -> Rect;

    /// Calls the body for each thread.
    ///
    /// # Safety
    /// As for [`run_threads`].
    unsafe fn run<S, F>(shape: S, chunk: &Chunk<'_>, raw: &Self::Raw, body: F)
    where
        S: Shape,
        F: for<'t> Fn(Thread<'t>, Self::Items<'t>);
}

/// Parameters that a thread kernel can have.
pub trait ThreadParams: ParamList<Passing: Views<Raw = Self::Raw>> {}

impl<P: ParamList<Passing: Views<Raw = P::Raw>>> ThreadParams for P {}

/// Runs a thread kernel's body for each thread of `chunk.running`.
///
/// # Safety
/// - `raw` points at live memory of its types. What is read, nobody writes until this returns; what
///   threads own, nobody else accesses in `chunk.owned`'s part of it.
/// - `chunk.running` is in `chunk.owned`, has `shape`'s sizes, and both are in the launch, which has at
///   most `P::RANK` dimensions.
/// - `chunk.running` is in the parameters' interior as far as the shape's facts say.
#[inline(always)]
pub unsafe fn run_threads<P, S, F>(shape: S, chunk: &Chunk<'_>, raw: &P::Raw, body: F)
where
    P: ThreadParams,
    S: Shape,
    F: for<'t> Fn(Thread<'t>, <P::Passing as Views>::Items<'t>),
{
    // SAFETY: the memory is live, with each parameter's kind of access, and `chunk.running` lies in the launch, with the shape's
    // sizes and facts, as this function asks.
    unsafe { <P::Passing as Views>::run(shape, chunk, raw, body) }
}

/// Whether a parameter has a bit in `direct`.
const fn is_direct(direct: u64, parameter: u32) -> bool {
    direct >> parameter & 1 == 1
}

/// The facts that a shape states of a parameter.
const fn facts_of<S: Shape>(parameter: u32) -> Facts {
    if is_direct(S::DIRECT, parameter) { S::FACTS } else { Facts::None }
}

macro_rules! parameters {
    ($module:ident: $($view:ident $arg:ident $sizes:ident $i:tt),*) => {
        #[allow(clippy::too_many_arguments, clippy::unused_unit, unused_unsafe)] // with no parameters
        mod $module {
            use super::*;

            by_instruction_set! {
                /// Calls the body once for each thread of `chunk.running`, as `run_threads` asks.
                Loop [S: Shape, $($view: ThreadView),*] [S, $($view),*]
                where F: [for<'t> Fn(Thread<'t>, ($($view::Item<'t>,)*))],
                fn(body, shape: S, chunk: &Chunk<'_>, $($arg: $view::Arg, $sizes: $view::Sizes),*) {
                    $(let mut $arg = $view::open($arg, $sizes);)*
                    let (launch, plane) = (chunk.launch, chunk.plane);
                    let (row, col) = (chunk.running.rows.start, chunk.running.cols.start);
                    let (first, stride) = (chunk.first_index(), launch.geometry.threads[0]);
                    for y in 0..shape.rows() {
                        for x in 0..shape.cols() {
                            let (row, col, index) = (row + y, col + x, first + y * stride + x);
                            let thread = Identity { launch, plane, row, col, index, place: None };
                            // SAFETY: the thread is in the interior as far as the facts say, as `run_threads` asks.
                            unsafe { $($view::assume(&$arg, thread, const { facts_of::<S>($i) });)* }
                            let witness = Witness::new(thread);
                            // SAFETY: the thread is of the chunk, and the items of the one before are gone.
                            body(Thread::new(thread), unsafe { ($($view::item(&mut $arg, thread),)*) });
                            witness.dismiss();
                        }
                    }
                }
            }

            // SAFETY: the loop functions go over `shape`, which is `chunk.running`'s.
            unsafe impl<$($view: ThreadView,)*> Views for ($($view,)*) {
                type Raw = ($($view::Raw,)*);
                type Items<'i> = ($($view::Item<'i>,)*);

                fn interior(_raw: &Self::Raw, _chunk: &Chunk<'_>, _direct: u64) -> Rect {
                    let rect = Rect::ALL;
                    $(let rect = if is_direct(_direct, $i) {
                        rect.intersection(&$view::interior(&_raw.$i, _chunk))
                    } else {
                        rect
                    };)*
                    rect
                }

                #[inline(always)]
                unsafe fn run<S, F>(shape: S, chunk: &Chunk<'_>, _raw: &Self::Raw, body: F)
                where
                    S: Shape,
                    F: for<'t> Fn(Thread<'t>, Self::Items<'t>),
                {
                    // SAFETY: the memory is live until this returns, with each parameter's kind of access, and `chunk.running` has
                    // the facts, as `run_threads` asks; the shape exists, so this machine has its instruction set.
                    unsafe {
                        $(let ($arg, $sizes) = $view::window(&_raw.$i, chunk);)*
                        by_isa!(
                            S::ISA,
                            <F as Loop<S, $($view),*>>::baseline(body, shape, chunk, $($arg, $sizes),*),
                            <F as Loop<S, $($view),*>>::avx2(body, shape, chunk, $($arg, $sizes),*),
                            <F as Loop<S, $($view),*>>::avx512(body, shape, chunk, $($arg, $sizes),*)
                        );
                    }
                }
            }
        }
    };
}

gridwright_core::for_tuples!(12, parameters, modules);
