//! Memory of which each thread owns an element, or a column.

mod column;

pub use column::{Column, Columns};

use core::fmt;
use core::hint::assert_unchecked;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use gridwright_core::{
    Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, RawSlice, RawVolume, SliceExtent, Slot,
    VolumeExtent,
};

use crate::arch::{self, GroupShape, Identity, LaunchId, element_inside};
use crate::views::{Linear, NewMut, OwnMut, Reversed, Transposed};
use crate::{Group, Matrix, Private, Rows, Thread, Volume};

/// Memory of which every thread owns the element at its own position in the launch.
///
/// `PerThread<[T]>` gives thread *i* the element *i*, `PerThread<[[T; N]]>` the *i*-th array of `N`
/// neighbours, `PerThread<Matrix<T>>` the thread at (row, col) the element there, and `PerThread<Volume<T>>` the
/// thread at (plane, row, col). A thread takes its element, or a phase of a group, a warp or a grid hands the elements out
/// (see *Glossary* in the book: view, item).
///
/// A second parameter names another map: `PerThread<[T], Reversed>` counts from the end,
/// `PerThread<Matrix<T>, Transposed>` gives the thread at (row, col) the element at (col, row), and
/// `PerThread<Matrix<T>, Columns>` thread *i* the column *i*. All maps are injective, and a buffer has one in a launch, so no two
/// threads can write one element.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn double(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = 2.0 * x[t.index()];
///     }
/// }
/// ```
///
/// # From CUDA
/// A `T*` argument of which each thread writes the element at its own position only.
pub struct PerThread<'k, S: ?Sized + OwnShape, M: OwnMap<S> = Linear> {
    pointer: *mut S::Element,
    window: S::Window,
    launch: LaunchId,
    _owned: Owned<'k, <S as OwnShape>::Element, M>,
}

/// Marker of elements that are written, by a map.
type Owned<'k, T, M> = PhantomData<(&'k mut T, fn() -> M)>;

// SAFETY: it gives a thread's own element to that thread only, and views that phases hand out.
unsafe impl<S: ?Sized + OwnShape, M: OwnMap<S>> Send for PerThread<'_, S, M> {}
// SAFETY: threads that share it get nothing to write.
unsafe impl<S: ?Sized + OwnShape, M: OwnMap<S>> Sync for PerThread<'_, S, M> {}

/// Shapes of memory of which threads can own an element: `[T]`, [`Scattered<T>`](crate::Scattered),
/// [`Segments<T>`](crate::Segments), [`Matrix<T>`] and [`Volume<T>`].
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::ownership::{OwnMap, OwnShape};
///
/// /// Writes the thread's element, of a slice, a matrix or a volume.
/// fn put<S: ?Sized + OwnShape, M: OwnMap<S>>(t: Thread, out: &mut PerThread<'_, S, M>, value: S::Element) {
///     if let Some(out) = out.get_mut(t) {
///         *out = value;
///     }
/// }
/// ```
///
/// # Safety
/// - [`position`](Self::position) is below the number of elements that a `PerThread` with that window
///   points at, and different for any two threads of one launch.
/// - Where `has_group` is true, all threads of that group have a position.
#[diagnostic::on_unimplemented(
    message = "`PerThread<{Self}>` isn't a kernel parameter",
    note = "`PerThread<[T]>`, `PerThread<Scattered<T>>`, `PerThread<Segments<T>>`, `PerThread<Matrix<T>>` and \
            `PerThread<Volume<T>>` are, with `T` a `KernelArg`"
)]
pub unsafe trait OwnShape {
    /// The type of what a thread owns of the memory.
    type Element;
    /// The part of the memory that the threads at hand own, in the launch's coordinates.
    type Window: Copy + Send + Sync;
    /// The memory as a phase's loop gets it: see [`View::Arg`](crate::View::Arg).
    #[doc(hidden)]
    type Arg<'a>
    where
        Self: 'a;

    /// The place of the thread's element in the window, if it has one.
    #[doc(hidden)]
    fn position(window: &Self::Window, thread: Identity<'_>) -> Option<usize>;

    /// The columns, rows and planes of threads that can have an element: beyond them no thread has one.
    #[doc(hidden)]
    #[inline(always)]
    fn owners(_window: &Self::Window) -> [usize; 3] {
        [usize::MAX; 3]
    }

    /// Whether `has_group` can be true, so that phases have a loop of their own for groups where it is.
    #[doc(hidden)]
    const EDGED: bool = false;

    /// Whether each thread of a group is known to have an element. The group's columns, rows and planes and one of
    /// its threads are given.
    #[doc(hidden)]
    #[inline(always)]
    fn has_group(_window: &Self::Window, _group: [usize; 3], _thread: Identity<'_>) -> bool {
        false
    }

    /// # Safety
    /// The pointer is at the window, which is borrowed exclusively for 'a.
    #[doc(hidden)]
    unsafe fn arg<'a>(pointer: *mut Self::Element, window: &Self::Window) -> Self::Arg<'a>
    where
        Self: 'a;

    #[doc(hidden)]
    fn pointer<'a>(arg: &mut Self::Arg<'a>) -> *mut Self::Element
    where
        Self: 'a;
}

/// Maps that say which element of memory of shape `S` a thread owns: [`Linear`], [`Reversed`], [`Transposed`],
/// [`Columns`] or [`Rows`](crate::Rows).
///
/// ```
/// # use gridwright::prelude::*;
/// /// The thread at `i` writes the element at `n - 1 - i`.
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn transposed(t: Thread, x: &[f32], mut y: PerThread<[f32], Reversed>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = x[t.index()];
///     }
/// }
/// ```
///
/// # Safety
/// As for [`OwnShape::position`], where the window is the whole memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a map of `{S}`",
    note = "`Linear` is a map of every shape, `Reversed` one of `[T]`, and `Transposed`, `Columns` and `Rows` are of `Matrix<T>`"
)]
pub unsafe trait OwnMap<S: ?Sized + OwnShape> {
    /// The memory as a phase's loop gets it.
    #[doc(hidden)]
    type Arg<'a>
    where
        S: 'a;

    /// The place of the thread's element in the window, if it has one.
    #[doc(hidden)]
    fn position(window: &S::Window, thread: Identity<'_>) -> Option<usize>;

    /// The columns, rows and planes of threads that can have an element: see [`OwnShape::owners`].
    #[doc(hidden)]
    #[inline(always)]
    fn owners(_window: &S::Window) -> [usize; 3] {
        [usize::MAX; 3]
    }

    /// Whether `has_group` can be true: see [`OwnShape::EDGED`].
    #[doc(hidden)]
    const EDGED: bool = false;

    /// Whether each thread of a group is known to have an element: see [`OwnShape::has_group`].
    #[doc(hidden)]
    #[inline(always)]
    fn has_group(_window: &S::Window, _group: [usize; 3], _thread: Identity<'_>) -> bool {
        false
    }

    /// # Safety
    /// As for [`OwnShape::arg`].
    #[doc(hidden)]
    unsafe fn arg<'a>(pointer: *mut S::Element, window: &S::Window) -> Self::Arg<'a>
    where
        S: 'a;

    #[doc(hidden)]
    fn pointer<'a>(arg: &mut Self::Arg<'a>) -> *mut S::Element
    where
        S: 'a;
}

// SAFETY: positions are the shape's, which are inside and different for any two threads, as `OwnShape` asks.
unsafe impl<S: ?Sized + OwnShape> OwnMap<S> for Linear {
    type Arg<'a>
        = S::Arg<'a>
    where
        S: 'a;

    const EDGED: bool = S::EDGED;

    #[inline(always)]
    fn position(window: &S::Window, thread: Identity<'_>) -> Option<usize> {
        S::position(window, thread)
    }

    #[inline(always)]
    fn owners(window: &S::Window) -> [usize; 3] {
        S::owners(window)
    }

    #[inline(always)]
    fn has_group(window: &S::Window, group: [usize; 3], thread: Identity<'_>) -> bool {
        S::has_group(window, group, thread)
    }

    #[inline(always)]
    unsafe fn arg<'a>(pointer: *mut S::Element, window: &S::Window) -> S::Arg<'a>
    where
        S: 'a,
    {
        // SAFETY: the pointer is at the window, which is borrowed exclusively for 'a, as this function asks.
        unsafe { S::arg(pointer, window) }
    }

    #[inline(always)]
    fn pointer<'a>(arg: &mut S::Arg<'a>) -> *mut S::Element
    where
        S: 'a,
    {
        S::pointer(arg)
    }
}

/// The argument of a map, or of a shape, whose elements lie anywhere in the memory: a pointer, since a slice would be of others' too.
macro_rules! anywhere {
    ($shape:ty) => {
        type Arg<'a>
            = *mut T
        where
            $shape: 'a;

        #[inline(always)]
        unsafe fn arg<'a>(pointer: *mut T, _: &<$shape as crate::per_thread::OwnShape>::Window) -> *mut T
        where
            $shape: 'a,
        {
            pointer
        }

        #[inline(always)]
        fn pointer<'a>(arg: &mut *mut T) -> *mut T
        where
            $shape: 'a,
        {
            *arg
        }
    };
}

pub(crate) use anywhere;

// SAFETY: the index is below the length and each thread's own.
unsafe impl<T: KernelArg> OwnMap<[T]> for Reversed {
    anywhere!([T]);

    #[inline(always)]
    fn position(window: &SliceWindow, thread: Identity<'_>) -> Option<usize> {
        let index = thread.index();
        if index < window.owned { Some(window.len - 1 - index) } else { None }
    }
}

// SAFETY: row and column, taken for each other, are inside, and the pair is each thread's own.
unsafe impl<T: KernelArg> OwnMap<Matrix<T>> for Transposed {
    anywhere!(Matrix<T>);

    #[inline(always)]
    fn position(window: &MatrixWindow, thread: Identity<'_>) -> Option<usize> {
        let (row, col) = (thread.col(), thread.row());
        // SAFETY: row and column were seen to be inside.
        ((row < window.rows) & (col < window.cols)).then(|| unsafe { element_inside(row, window.cols, col) })
    }

    #[inline(always)]
    fn owners(window: &MatrixWindow) -> [usize; 3] {
        [window.rows, window.cols, usize::MAX]
    }
}

// SAFETY: the element is in the first row, since there is one, and its column is each thread's own among those of the launch's first
// row; the elements below are those of no other thread.
unsafe impl<T: KernelArg> OwnMap<Matrix<T>> for Columns {
    anywhere!(Matrix<T>);

    #[inline(always)]
    fn position(window: &MatrixWindow, thread: Identity<'_>) -> Option<usize> {
        let is_first = (thread.row() == 0) & (window.rows > 0);
        if is_first & (thread.col() < window.cols) { Some(thread.col()) } else { None }
    }
}

/// The thread's own element of the memory at a pointer.
///
/// # Safety
/// The pointer is at the window, which only the threads at hand access, and no other reference to the thread's
/// element lives.
#[inline(always)]
pub(crate) unsafe fn own_element<'i, S: ?Sized + OwnShape, M: OwnMap<S>>(
    pointer: *mut S::Element,
    window: &S::Window,
    thread: Identity<'_>,
) -> Option<&'i mut S::Element> {
    match M::position(window, thread) {
        // SAFETY: the position is inside the window and this thread's own. No element is at null, which the optimiser would
        // test for to tell `Some` from `None`.
        Some(at) => Some(unsafe {
            let element = pointer.add(at);
            assert_unchecked(!element.is_null());
            &mut *element
        }),
        None => None,
    }
}

/// The window of the elements `start .. start + owned` of a slice of `len`.
#[derive(Clone, Copy, Debug)]
pub struct SliceWindow {
    pub(crate) start: usize,
    pub(crate) owned: usize,
    pub(crate) len: usize,
}

/// The window that is all of a volume.
#[derive(Clone, Copy, Debug)]
pub struct VolumeWindow {
    pub(crate) planes: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

/// The window that is a band of a `rows` by `cols` matrix, from (`row`, `col`) on.
#[derive(Clone, Copy, Debug)]
pub struct MatrixWindow {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl SliceWindow {
    #[inline(always)]
    pub(crate) fn end(&self) -> usize {
        // A launch has at most 2⁶³ threads, and a slice as many elements.
        self.start.wrapping_add(self.owned)
    }
}

// SAFETY: `start <= index < start + owned` was tested; the index is each thread's own in a launch of rank 1. A group of one row has
// indices that follow each other, the last of which was tested too.
unsafe impl<T: KernelArg> OwnShape for [T] {
    type Element = T;
    type Window = SliceWindow;
    const EDGED: bool = true;
    type Arg<'a>
        = arch::Exclusive<'a, [T]>
    where
        Self: 'a;

    #[inline(always)]
    unsafe fn arg<'a>(pointer: *mut T, window: &SliceWindow) -> Self::Arg<'a>
    where
        Self: 'a,
    {
        // SAFETY: the window has so many elements, and is borrowed exclusively.
        unsafe { arch::exclusive(core::ptr::slice_from_raw_parts_mut(pointer, window.owned)) }
    }

    #[inline(always)]
    fn pointer<'a>(arg: &mut Self::Arg<'a>) -> *mut T
    where
        Self: 'a,
    {
        arch::exclusive_pointer(arg).cast()
    }

    #[inline(always)]
    fn position(window: &SliceWindow, thread: Identity<'_>) -> Option<usize> {
        let index = thread.index();
        // Of the index itself, as what the CPU's loops state, rather than of its distance from the start: LLVM counts vectors of a
        // second index as registers, and would have a loop go by one vector instead of four.
        if index >= window.start && index < window.end() { Some(index - window.start) } else { None }
    }

    #[inline(always)]
    fn has_group(window: &SliceWindow, [cols, rows, planes]: [usize; 3], thread: Identity<'_>) -> bool {
        let first = thread.index().wrapping_sub(thread.local().x).wrapping_sub(window.start);
        rows * planes == 1 && first <= window.owned && cols <= window.owned - first
    }
}

// SAFETY: (row, col) lies in the matrix, and in the window because the threads at hand do; the pair is
// each thread's own in a launch of at most rank 2. A group's last row and column were tested.
unsafe impl<T: KernelArg> OwnShape for Matrix<T> {
    type Element = T;
    type Window = MatrixWindow;
    const EDGED: bool = true;
    // Tiles of different groups lie between one another: no slice could be one group's alone.
    anywhere!(Self);

    #[inline(always)]
    fn position(window: &MatrixWindow, thread: Identity<'_>) -> Option<usize> {
        let (row, col) = (thread.row(), thread.col());
        if (row < window.rows) & (col < window.cols) {
            // SAFETY: row and column were just seen to be inside.
            Some(unsafe { element_inside(row - window.row, window.cols, col - window.col) })
        } else {
            None
        }
    }

    #[inline(always)]
    fn owners(window: &MatrixWindow) -> [usize; 3] {
        [window.cols, window.rows, usize::MAX]
    }

    #[inline(always)]
    fn has_group(window: &MatrixWindow, [cols, rows, _]: [usize; 3], thread: Identity<'_>) -> bool {
        let (row, col) = (thread.row() - thread.local().y, thread.col() - thread.local().x);
        row + rows <= window.rows && col + cols <= window.cols
    }
}

// SAFETY: (plane, row, col) lies in the volume, and is each thread's own.
unsafe impl<T: KernelArg> OwnShape for Volume<T> {
    type Element = T;
    type Window = VolumeWindow;
    // Tiles of different groups lie between one another: no slice could be one group's alone.
    anywhere!(Self);

    #[inline(always)]
    fn position(window: &VolumeWindow, thread: Identity<'_>) -> Option<usize> {
        let (plane, row, col) = (thread.plane(), thread.row(), thread.col());
        if (plane < window.planes) & (row < window.rows) & (col < window.cols) {
            Some(arch::element3(plane, window.rows, row, window.cols, col))
        } else {
            None
        }
    }

    #[inline(always)]
    fn owners(window: &VolumeWindow) -> [usize; 3] {
        [window.cols, window.rows, window.planes]
    }
}

impl<S: ?Sized + OwnShape, M: OwnMap<S>> PerThread<'_, S, M> {
    /// # Safety
    /// `pointer` is the first element of the window, which only the threads at hand access, of that launch.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut S::Element, window: S::Window, launch: LaunchId) -> Self {
        Self { pointer, window, launch, _owned: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn window(&self) -> &S::Window {
        &self.window
    }

    #[inline(always)]
    pub(crate) fn memory(&mut self) -> *mut S::Element {
        self.pointer
    }

    #[inline(always)]
    pub(crate) fn launch(&self) -> LaunchId {
        self.launch
    }

    /// A copy of the handle, for another owner.
    ///
    /// # Safety
    /// Nobody uses the two in a way that Rust forbids.
    #[inline(always)]
    pub(crate) unsafe fn copy<'c>(&self) -> PerThread<'c, S, M> {
        let Self { pointer, window, launch, .. } = *self;
        PerThread { pointer, window, launch, _owned: PhantomData }
    }

    /// The thread's own element, or `None` where the launch is larger than the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_up(t: Thread, mut counts: PerThread<[u32]>) {
    ///     if let Some(count) = counts.get_mut(t) {
    ///         *count += 1;
    ///     }
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `if (i < n)` around an access to `y[i]`, where `i` is `blockIdx.x * blockDim.x + threadIdx.x`.
    #[inline(always)]
    pub fn get_mut<'t>(&mut self, thread: impl Owner<'t>) -> Option<&mut S::Element> {
        let thread = thread.thread();
        // A thread of a launch that launched this one owns nothing here.
        if !thread.identity.is_of(self.launch) {
            return None;
        }
        // SAFETY: the pointer is at the window, and `&mut self` lends the element once.
        unsafe { own_element::<S, M>(self.pointer, &self.window, thread.identity) }
    }

    /// A view that gives each thread its own element, if the thread has one.
    ///
    /// # Panics
    /// In a phase of a group of another launch, as one may be at hand on the CPU where a kernel launches another.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_up(g: &Group, mut counts: PerThread<[u32]>) {
    ///     g.each(counts.elements_mut(), |_, count| {
    ///         if let Some(count) = count {
    ///             *count += 1;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn elements_mut(&mut self) -> OwnMut<'_, S, M> {
        let Self { pointer, window, launch, .. } = *self;
        OwnMut { pointer, window, launch, _memory: PhantomData, _map: PhantomData }
    }
}

/// The owner of an element: a [`Thread`].
///
/// It is a trait so that the compiler can say more of an index than that it isn't a thread.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::ownership::Owner;
///
/// /// Writes the thread's own element.
/// fn put<'t>(t: impl Owner<'t>, y: &mut PerThread<[f32]>, value: f32) {
///     if let Some(y) = y.get_mut(t) {
///         *y = value;
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a thread owns the element at its own place, and no other",
    label = "this is no thread",
    note = "write `y.get_mut(t)`, where `t` is the kernel's `Thread`",
    note = "another element for each thread is another map, such as `PerThread<[T], Reversed>` or `PerThread<[[T; N]]>`",
    note = "for any element there is `Atomic<[T]>`: `y.set(t, i, value)`"
)]
pub trait Owner<'t>: sealed::Owner<'t> {}

#[diagnostic::do_not_recommend]
impl<'t> Owner<'t> for Thread<'t> {}

mod sealed {
    use crate::Thread;

    pub trait Owner<'t> {
        fn thread(self) -> Thread<'t>;
    }

    impl<'t> Owner<'t> for Thread<'t> {
        #[inline(always)]
        fn thread(self) -> Self {
            self
        }
    }
}

/// Indices by which `y[…]` gives an element that threads own: there are none.
#[diagnostic::on_unimplemented(
    message = "`PerThread` has no `y[i]`: a thread owns the element at its own place, and no other",
    label = "not by an index",
    note = "write `if let Some(y) = y.get_mut(t) {{ *y = … }}`, where `t` is the thread, and in a group's phase \
            `g.each(y.elements_mut(), |t, y| if let Some(y) = y {{ *y = … }})`"
)]
pub trait IndexOfOwned {}

impl<S: ?Sized + OwnShape, M: OwnMap<S>, I: IndexOfOwned> Index<I> for PerThread<'_, S, M> {
    type Output = S::Element;

    fn index(&self, _: I) -> &S::Element {
        nothing_to_index()
    }
}

impl<S: ?Sized + OwnShape, M: OwnMap<S>, I: IndexOfOwned> IndexMut<I> for PerThread<'_, S, M> {
    fn index_mut(&mut self, _: I) -> &mut S::Element {
        nothing_to_index()
    }
}

fn nothing_to_index() -> ! {
    unreachable!("nothing is an index of what threads own")
}

impl<S: ?Sized + OwnShape + 'static, M: OwnMap<S>> PerThread<'_, S, M> {
    /// Writes each thread's value to the thread's own element, if it has one, in a phase that does nothing else.
    ///
    /// # Panics
    /// In a group of another launch, as for [`elements_mut`](Self::elements_mut).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn running_sums(g: &Group, x: &[f32], mut y: PerThread<[f32]>) {
    ///     let values = g.map((), |t, ()| x.get_or(t.index(), 0.0));
    ///     y.store(g, &g.scan_inclusive(&values, |a, b| a + b));
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `if (i < n) y[i] = value;`
    #[inline(always)]
    pub fn store<B: GroupShape>(&mut self, g: &Group<'_, B>, values: &Private<'_, S::Element>)
    where
        S::Element: Copy + 'static,
    {
        g.each((self.elements_mut(), values), |_, (own, &value)| {
            if let Some(own) = own {
                *own = value;
            }
        });
    }
}

impl<T: KernelArg> PerThread<'_, [T]> {
    /// A view that gives each thread its own element to write anew, if the thread has one.
    ///
    /// The element's bytes are zero, whatever it was before. What a thread makes of it is written when the thread's
    /// call has ended.
    ///
    /// It is as [`elements_mut`](Self::elements_mut), for elements that are only written. On the CPU nothing is then read:
    /// results that are together more than caches hold, 32 MiB, go past them, for a quarter to a third less traffic of
    /// a kernel that reads as much as it writes.
    ///
    /// # Panics
    /// As for `elements_mut`.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// #[gpu_kernel(block = 256, requires = x.len() == y.len())]
    /// fn halves(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    ///     g.each((x.elements_from(g.origin().x), y.elements_new()), |_, (x, y)| {
    ///         if let (Some(x), Some(y)) = (x, y)
    ///             && x % 2 == 0
    ///         {
    ///             *y = x / 2;
    ///         } // of odd numbers it is zero
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[8, 9, 10])?;
    /// let mut y = stream.upload(&[1, 1, 1])?;
    /// halves::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [4, 0, 5]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn elements_new(&mut self) -> NewMut<'_, T> {
        let Self { pointer, window, launch, .. } = *self;
        NewMut { pointer, window, launch, stride: 0, _memory: PhantomData }
    }
}

impl<T: KernelArg> PerThread<'_, [T]> {
    /// The window, and where it begins.
    #[inline(always)]
    pub(crate) fn raw(&mut self) -> (*mut T, SliceWindow) {
        (self.pointer, self.window)
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg, M: OwnMap<[T]>> PerThread<'_, [T], M> {
    /// The number of elements of the memory, of all threads together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn mean_weight(y: PerThread<[f32]>) -> f32 {
    ///     1.0 / y.len() as f32
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window.len
    }
}

impl<T: KernelArg, M: OwnMap<Matrix<T>>> PerThread<'_, Matrix<T>, M> {
    /// The number of rows of the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_row(m: PerThread<Matrix<f32>>) -> usize {
    ///     m.rows() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.window.rows
    }

    /// The number of columns of the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_col(m: PerThread<Matrix<f32>>) -> usize {
    ///     m.cols() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.window.cols
    }
}

impl<T: KernelArg, M: OwnMap<Volume<T>>> PerThread<'_, Volume<T>, M> {
    /// The number of planes of the volume.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_plane(v: PerThread<Volume<f32>>) -> usize {
    ///     v.planes() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn planes(&self) -> usize {
        self.window.planes
    }

    /// The number of rows of a plane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_row(v: PerThread<Volume<f32>>) -> usize {
    ///     v.rows() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.window.rows
    }

    /// The number of columns of a plane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_col(v: PerThread<Volume<f32>>) -> usize {
    ///     v.cols() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.window.cols
    }
}

impl<S: ?Sized + OwnShape, M: OwnMap<S>> fmt::Debug for PerThread<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerThread").finish_non_exhaustive()
    }
}

/// The passing of a `PerThread<[T]>`: each thread owns an element of the slice.
#[derive(Debug)]
pub struct OwnSlice<T>(PhantomData<T>);

/// The passing of a `PerThread<Matrix<T>>`: each thread owns an element of the matrix.
#[derive(Debug)]
pub struct OwnMatrix<T>(PhantomData<T>);

/// The passing of a `PerThread<S, M>`: each thread owns an element, which need not be beside its neighbour's.
#[derive(Debug)]
pub struct OwnAnywhere<S: ?Sized, M>(PhantomData<M>, PhantomData<S>);

macro_rules! slices {
    ($($map:ty => $passing:ty;)*) => {$(
        // SAFETY: the extent is the slice's; indices differ in launches of one dimension.
        unsafe impl<T: KernelArg> Param for PerThread<'static, [T], $map> {
            type Raw = RawSlice<T>;
            type Extent = SliceExtent;
            type Passing = $passing;
            const RANK: u32 = 1;

            fn extent(raw: &RawSlice<T>) -> SliceExtent {
                SliceExtent { len: raw.len }
            }

            fn describe(raw: &RawSlice<T>) -> Description {
                Description::Slice { len: raw.len }
            }

            const LAYOUT: Layout = T::LAYOUT;
            const SPELLING: &'static str = "PerThread<[_]>";
            const MAP: &'static str = stringify!($map);

            fn slots(raw: &RawSlice<T>, mut slot: impl FnMut(Slot)) {
                raw.slots(&mut slot);
                slot(Slot::Owned { len: raw.len });
            }
        }
    )*};
}

slices! {
    Linear => OwnSlice<T>;
    Reversed => OwnAnywhere<[T], Reversed>;
}

macro_rules! matrices {
    ($($map:ty => $passing:ty;)*) => {$(
        // SAFETY: the extent is the matrix's; (row, col) differs in launches of up to two dimensions.
        unsafe impl<T: KernelArg> Param for PerThread<'static, Matrix<T>, $map> {
            type Raw = RawMatrix<T>;
            type Extent = MatrixExtent;
            type Passing = $passing;
            const RANK: u32 = 2;

            fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
                MatrixExtent { rows: raw.rows, cols: raw.cols }
            }

            fn describe(raw: &RawMatrix<T>) -> Description {
                Description::Matrix { rows: raw.rows, cols: raw.cols }
            }

            const LAYOUT: Layout = T::LAYOUT;
            const SPELLING: &'static str = "PerThread<Matrix<_>>";
            const MAP: &'static str = stringify!($map);

            fn slots(raw: &RawMatrix<T>, mut slot: impl FnMut(Slot)) {
                raw.slots(&mut slot);
                let window = MatrixWindow { row: 0, col: 0, rows: raw.rows, cols: raw.cols };
                let owners = <$map as OwnMap<Matrix<T>>>::owners(&window);
                (0..2).for_each(|axis| slot(Slot::Owners { axis, most: owners[axis] }));
            }
        }
    )*};
}

matrices! {
    Linear => OwnMatrix<T>;
    Transposed => OwnAnywhere<Matrix<T>, Transposed>;
    Columns => OwnAnywhere<Matrix<T>, Columns>;
    Rows => OwnAnywhere<Matrix<T>, Rows>;
}

// SAFETY: the extent is the volume's; (plane, row, col) differs in every launch.
unsafe impl<T: KernelArg> Param for PerThread<'static, Volume<T>> {
    type Raw = RawVolume<T>;
    type Extent = VolumeExtent;
    type Passing = OwnAnywhere<Volume<T>, Linear>;
    const RANK: u32 = 3;

    fn extent(raw: &RawVolume<T>) -> VolumeExtent {
        VolumeExtent { planes: raw.planes, rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawVolume<T>) -> Description {
        Description::Volume { planes: raw.planes, rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerThread<Volume<_>>";
    const MAP: &'static str = "Linear";

    fn slots(raw: &RawVolume<T>, mut slot: impl FnMut(Slot)) {
        raw.slots(&mut slot);
        let owners = [raw.cols, raw.rows, raw.planes];
        (0..3).for_each(|axis| slot(Slot::Owners { axis, most: owners[axis] }));
    }
}
