use core::hint::assert_unchecked;
use core::marker::PhantomData;

use super::slots::{Linear, Mapped};
use super::view::{Access, Keep, View};
use crate::arch::{GroupContext, GroupShape, Identity, LaunchId};
use crate::per_thread::{OwnMap, OwnShape, own_element};

/// A view that gives each thread its own element, if the thread has one: `Option<&mut T>`.
///
/// [`PerThread::elements_mut`](crate::PerThread::elements_mut) makes it, for phases of a group, a warp or a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn add_one<S: GroupShape>(g: &Group<'_, S>, mut y: PerThread<'_, [f32]>) {
///     g.each(y.elements_mut(), |_, y| {
///         if let Some(y) = y {
///             *y += 1.0;
///         }
///     });
/// }
/// ```
#[derive(Debug)]
pub struct OwnMut<'a, S: ?Sized + OwnShape, M = Linear> {
    pub(crate) pointer: *mut S::Element,
    pub(crate) window: S::Window,
    /// The launch whose threads own the memory.
    pub(crate) launch: LaunchId,
    pub(crate) _memory: PhantomData<&'a mut S::Element>,
    pub(crate) _map: Mapped<M>,
}

// SAFETY: the shape's map gives different threads different elements, which nobody else ever sees.
unsafe impl<'a, S, M> View for OwnMut<'a, S, M>
where
    S: ?Sized + OwnShape + 'static,
    M: OwnMap<S>,
    S::Element: Copy + 'static,
{
    type Item<'i> = Option<&'i mut S::Element>;
    type Arg = M::Arg<'a>;
    /// The window, and whether each thread is known to have an element.
    type Sizes = (S::Window, bool);
    type State = Option<S::Element>;
    const ACCESS: Access = Access::None;
    const EDGED: bool = M::EDGED;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    /// The view itself, of which nothing is copied.
    ///
    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, S, M, G>) {
        check_launch(context.launch(), self.launch);
        (self, ())
    }

    #[inline(always)]
    unsafe fn open(self) -> (M::Arg<'a>, (S::Window, bool)) {
        // SAFETY: the view borrows what the group's threads own exclusively.
        (unsafe { M::arg(self.pointer, &self.window) }, (self.window, false))
    }

    #[inline(always)]
    fn inside(
        (window, _): (S::Window, bool),
        _: usize,
        group: [usize; 3],
        first: Identity<'_>,
    ) -> Option<(S::Window, bool)> {
        M::has_group(&window, group, first).then_some((window, true))
    }

    #[inline(always)]
    unsafe fn item<'i>(
        arg: &mut M::Arg<'a>,
        (window, each_has): (S::Window, bool),
        thread: Identity<'_>,
    ) -> Option<&'i mut S::Element> {
        // SAFETY: the map said so of all of the group.
        unsafe { assert_unchecked(!each_has | M::position(&window, thread).is_some()) };
        // SAFETY: `open` gave the pointer to the window, which is borrowed exclusively; no other item of the thread lives, as this
        // function asks.
        unsafe { own_element::<S, M>(M::pointer(arg), &window, thread) }
    }

    #[inline(always)]
    unsafe fn load(
        arg: &mut M::Arg<'a>,
        sizes: (S::Window, bool),
        thread: Identity<'_>,
    ) -> Option<S::Element> {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { Self::item(arg, sizes, thread) }.copied()
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<S::Element>) -> Option<&mut S::Element> {
        state.as_mut()
    }

    #[inline(always)]
    unsafe fn store(
        arg: &mut M::Arg<'a>,
        sizes: (S::Window, bool),
        thread: Identity<'_>,
        state: Option<S::Element>,
    ) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        if let (Some(element), Some(state)) = (unsafe { Self::item(arg, sizes, thread) }, state) {
            *element = state;
        }
    }
}

/// Refuses what threads of another launch own.
///
/// # Panics
/// If the two launches differ.
#[inline(always)]
pub(crate) fn check_launch(by_context: LaunchId, of_memory: LaunchId) {
    if by_context != of_memory {
        of_another_launch();
    }
}

/// Panics: where one launch runs in a kernel of another, a group of the one can be at hand in the other.
#[cold]
#[inline(never)]
fn of_another_launch() -> ! {
    panic!("a group was given memory that the threads of another launch own")
}
