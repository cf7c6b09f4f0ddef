use gridwright_core::{ByValue, KernelArg, ParamList, RawSlice, ReadSlice};

use super::LaunchId;
use super::group_shape::GroupShape;
use super::group_view::{GroupPlace, GroupView};
use crate::atomic::{AtomicElement, AtomicSlice};
use crate::grid::GridSlice;
use crate::per_group::GroupSlice;
use crate::per_thread::OwnSlice;
use crate::segments::ReadSegments;
use crate::volume::ReadVolume;
use crate::{Grid, GridMemory, ReadMatrix};

/// How a passing becomes a parameter of the body of a grid or a cluster, on the CPU.
///
/// # Safety
/// What an item gives threads to write is their own, or handed out by phases.
#[diagnostic::on_unimplemented(
    message = "a parameter of this type can't be passed to a kernel of a grid or a cluster",
    label = "`{Self}` is none of its parameters",
    note = "such a kernel takes numbers and structs, `&[T]`, `&Matrix<T>`, `&Volume<T>`, `&Segments<T>`, `Atomic<[T]>` and `PerThread<[T]>`; one of a `&Grid` \
            also `GridMemory<[T]>` and workgroup memory, and one of a `&Cluster` also `PerGroup<[T]>` and `ClusterMemory`"
)]
pub unsafe trait GridView {
    /// What crosses from the host for a parameter.
    type Raw: Copy;
    /// What is kept while the body runs.
    type Held;
    /// The parameter that the body gets.
    type GridItem<'k>;

    /// What is kept for a grid.
    ///
    /// # Safety
    /// `raw` points at live memory that has its kind of access while the body runs.
    unsafe fn of_grid(raw: &Self::Raw, place: &GroupPlace) -> Self::Held;

    /// The parameter, of what is kept.
    ///
    /// # Safety
    /// Once for each grid, or cluster; `held` outlives 'k.
    unsafe fn grid_item<'k>(held: &Self::Held) -> Self::GridItem<'k>;
}

/// A passing that a grid's kernel can have. A cluster's has more.
#[diagnostic::on_unimplemented(
    message = "a parameter of this type can't be passed to a grid's kernel",
    label = "`{Self}` is none of its parameters",
    note = "a kernel of a `&Grid` takes numbers and structs, `&[T]`, `&Matrix<T>`, `&Volume<T>`, `&Segments<T>`, `Atomic<[T]>`, \
            `PerThread<[T]>`, `GridMemory<[T]>` and workgroup memory; what a group owns is a part of a `GridMemory`: \
            `memory.per_group()`"
)]
pub trait ParameterOfGrid: GridView {}

impl<T: KernelArg> ParameterOfGrid for ByValue<T> {}
impl<T: KernelArg> ParameterOfGrid for ReadSlice<T> {}
impl<T: KernelArg> ParameterOfGrid for ReadMatrix<T> {}
impl<T: KernelArg> ParameterOfGrid for ReadVolume<T> {}
impl<T: KernelArg> ParameterOfGrid for ReadSegments<T> {}
impl<T: AtomicElement> ParameterOfGrid for AtomicSlice<T> {}
impl<T: KernelArg> ParameterOfGrid for OwnSlice<T> {}
impl<T: KernelArg> ParameterOfGrid for GridSlice<T> {}

/// Parameters that are as a group's: of one that has all threads.
macro_rules! as_of_groups {
    ($([$bound:path] $passing:ident;)*) => {$(
        // SAFETY: the group's own promise.
        unsafe impl<T: $bound> GridView for $passing<T> {
            type Raw = <Self as GroupView>::Raw;
            type Held = <Self as GroupView>::Held;
            type GridItem<'k> = <Self as GroupView>::GroupItem<'k>;

            #[inline(always)]
            unsafe fn of_grid(raw: &Self::Raw, place: &GroupPlace) -> Self::Held {
                // SAFETY: `raw` points at live memory that has its kind of access while the body runs, as this function asks.
                unsafe { Self::of_group(raw, place) }
            }

            #[inline(always)]
            unsafe fn grid_item<'k>(held: &Self::Held) -> Self::GridItem<'k> {
                // SAFETY: `held` outlives 'k, as this function asks; a grid, or a cluster, gets the item once, as a group would.
                unsafe { Self::group_item(held) }
            }
        }
    )*};
}

as_of_groups! {
    [KernelArg] ByValue;
    [KernelArg] ReadSlice;
    [KernelArg] ReadMatrix;
    [KernelArg] ReadVolume;
    [KernelArg] ReadSegments;
    [AtomicElement] AtomicSlice;
    [KernelArg] OwnSlice;
    // A cluster's only.
    [KernelArg] GroupSlice;
}

// SAFETY: phases hand it out.
unsafe impl<T: KernelArg> GridView for GridSlice<T> {
    type Raw = RawSlice<T>;
    type Held = (RawSlice<T>, usize, LaunchId);
    type GridItem<'k> = GridMemory<'k, [T]>;

    #[inline(always)]
    unsafe fn of_grid(raw: &RawSlice<T>, place: &GroupPlace) -> Self::Held {
        (*raw, place.launch_cols, place.launch)
    }

    #[inline(always)]
    unsafe fn grid_item<'k>(&(raw, threads, launch): &Self::Held) -> GridMemory<'k, [T]> {
        // SAFETY: the elements are live and only this launch's while the body runs, as `of_grid` asks, which took the number of
        // threads from the launch.
        unsafe { GridMemory::from_raw(raw.pointer, raw.len, threads, launch) }
    }
}

/// The parameters of a grid kernel's body: a tuple of [`GridView`]s.
///
/// # Safety
/// `with` calls the body once.
pub unsafe trait GridViews {
    /// What crosses from the host for all parameters.
    type Raw: Copy;
    /// What the kernel's body gets of the views.
    type Items<'k>;

    /// Calls the body with the grid's parameters.
    ///
    /// # Safety
    /// As for [`with_grid_parameters`].
    unsafe fn with(place: &GroupPlace, raw: &Self::Raw, body: impl for<'k> FnOnce(Self::Items<'k>));
}

/// Parameters that a cluster's kernel can have.
pub trait ClusterParams: ParamList<Passing: GridViews<Raw = Self::Raw>> {}

impl<P: ParamList<Passing: GridViews<Raw = P::Raw>>> ClusterParams for P {}

/// All parameters of a grid's kernel.
pub trait ParametersOfGrid: GridViews {}

/// Parameters that a grid's kernel can have.
pub trait GridParams: ParamList<Passing: ParametersOfGrid + GridViews<Raw = Self::Raw>> {}

impl<P: ParamList<Passing: ParametersOfGrid + GridViews<Raw = P::Raw>>> GridParams for P {}

/// Calls a grid kernel's body with its parameters.
///
/// # Safety
/// `raw` points at live memory of its types. What is read, nobody writes until this returns;
/// nobody else accesses the rest.
#[inline(always)]
pub unsafe fn with_grid_parameters<P, S, F>(grid: &Grid<'_, S>, raw: &P::Raw, body: F)
where
    P: GridParams,
    S: GroupShape,
    F: for<'k> FnOnce(<P::Passing as GridViews>::Items<'k>),
{
    // SAFETY: `raw` points at live memory, which nobody else accesses but to read what is read, as this function asks.
    unsafe { <P::Passing as GridViews>::with(&grid.context.place(), raw, body) }
}

macro_rules! parameters {
    ($($view:ident $name:ident $i:tt),*) => {
        impl<$($view: ParameterOfGrid),*> ParametersOfGrid for ($($view,)*) {}

        // SAFETY: it does.
        unsafe impl<$($view: GridView),*> GridViews for ($($view,)*) {
            type Raw = ($($view::Raw,)*);
            type Items<'k> = ($($view::GridItem<'k>,)*);

            #[inline(always)]
            #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no parameters
            unsafe fn with(place: &GroupPlace, raw: &Self::Raw, body: impl for<'k> FnOnce(Self::Items<'k>)) {
                // SAFETY: each parameter's memory is live, with its kind of access, while the body runs, as the functions that call
                // this ask. A body gets an item once, and what is held for it outlives the body.
                unsafe {
                    $(let $name = $view::of_grid(&raw.$i, place);)*
                    body(($($view::grid_item(&$name),)*));
                }
            }
        }
    };
}

gridwright_core::for_tuples!(24, parameters, values);
