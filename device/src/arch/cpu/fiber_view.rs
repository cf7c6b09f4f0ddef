use gridwright_core::{KernelArg, ParamList, Pointer, RawSlice};

use super::group_view::{GroupPlace, GroupView};

/// How a passing becomes a parameter of one thread of a kernel that is an `unsafe fn`, on the CPU: as it becomes a
/// group's, or as a raw pointer, which no safe kernel gets.
///
/// # Safety
/// What an item gives a thread to write, other than through a raw pointer, is the thread's own.
pub unsafe trait FiberView {
    /// What crosses from the host for a parameter.
    type Raw: Copy;
    /// What is kept while the body runs.
    type Held;
    /// The parameter that the thread gets.
    type FiberItem<'k>;

    /// What is kept for a thread of a group.
    ///
    /// # Safety
    /// `raw` points at live memory that has its kind of access while the body runs.
    unsafe fn of_thread(raw: &Self::Raw, place: &GroupPlace) -> Self::Held;

    /// The parameter, of what is kept.
    ///
    /// # Safety
    /// Once for each thread; `held` outlives 'k.
    unsafe fn fiber_item<'k>(held: &Self::Held) -> Self::FiberItem<'k>;
}

// SAFETY: what the group owns, its threads own one element each of: a view asks for the `Thread`.
unsafe impl<V: GroupView> FiberView for V {
    type Raw = V::Raw;
    type Held = V::Held;
    type FiberItem<'k> = V::GroupItem<'k>;

    #[inline(always)]
    unsafe fn of_thread(raw: &V::Raw, place: &GroupPlace) -> V::Held {
        // SAFETY: `raw` points at live memory that has its kind of access while the body runs, as this function asks.
        unsafe { V::of_group(raw, place) }
    }

    #[inline(always)]
    unsafe fn fiber_item<'k>(held: &V::Held) -> V::GroupItem<'k> {
        // SAFETY: `held` outlives 'k, as this function asks. Each thread gets an item, by which it reaches its own element only:
        // the macro refuses a `PerGroup` here.
        unsafe { V::group_item(held) }
    }
}

macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        // SAFETY: it is a raw pointer.
        unsafe impl<T: KernelArg> FiberView for Pointer<$pointer> {
            type Raw = RawSlice<T>;
            type Held = $pointer;
            type FiberItem<'k> = $pointer;

            #[inline(always)]
            unsafe fn of_thread(raw: &RawSlice<T>, _: &GroupPlace) -> $pointer {
                raw.pointer
            }

            #[inline(always)]
            unsafe fn fiber_item<'k>(held: &$pointer) -> Self::FiberItem<'k> {
                *held
            }
        }
    )*};
}

pointers!(*const T *mut T);

/// The parameters of the body of a kernel that is an `unsafe fn`: a tuple of [`FiberView`]s.
///
/// # Safety
/// `with` calls the body once.
pub unsafe trait FiberViews {
    /// What crosses from the host for all parameters.
    type Raw: Copy;
    /// What the kernel's body gets of the views.
    type Items<'k>;

    /// Calls the body with a thread's parameters.
    ///
    /// # Safety
    /// As for [`with_fiber_parameters`].
    unsafe fn with(place: &GroupPlace, raw: &Self::Raw, body: impl for<'k> FnOnce(Self::Items<'k>));
}

/// Parameters that a kernel that is an `unsafe fn` can have.
pub trait FiberParams: ParamList<Passing: FiberViews<Raw = Self::Raw>> {}

impl<P: ParamList<Passing: FiberViews<Raw = P::Raw>>> FiberParams for P {}

/// Calls the body of a kernel that is an `unsafe fn` with a thread's parameters.
///
/// # Safety
/// `raw` points at live memory of its types. What is read other than through raw pointers, nobody writes until this
/// returns; what threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
#[inline(always)]
pub unsafe fn with_fiber_parameters<P, F>(place: &GroupPlace, raw: &P::Raw, body: F)
where
    P: FiberParams,
    F: for<'k> FnOnce(<P::Passing as FiberViews>::Items<'k>),
{
    // SAFETY: `raw` points at live memory; nobody else writes what is read or accesses what is owned, as this function asks.
    unsafe { <P::Passing as FiberViews>::with(place, raw, body) }
}

macro_rules! parameters {
    ($($view:ident $name:ident $i:tt),*) => {
        // SAFETY: it does.
        unsafe impl<$($view: FiberView),*> FiberViews for ($($view,)*) {
            type Raw = ($($view::Raw,)*);
            type Items<'k> = ($($view::FiberItem<'k>,)*);

            #[inline(always)]
            #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no parameters
            unsafe fn with(place: &GroupPlace, raw: &Self::Raw, body: impl for<'k> FnOnce(Self::Items<'k>)) {
                // SAFETY: each parameter's memory is live, with its kind of access, while the body runs, as `with_fiber_parameters`
                // asks. A thread gets an item once, and what is held for it outlives the body.
                unsafe {
                    $(let $name = $view::of_thread(&raw.$i, place);)*
                    body(($($view::fiber_item(&$name),)*));
                }
            }
        }
    };
}

gridwright_core::for_tuples!(24, parameters, values);
