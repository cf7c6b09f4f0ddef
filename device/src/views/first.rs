use super::view::{Access, Keep, View};
use crate::arch::{GroupContext, GroupShape, Identity};

/// A view that gives the first threads of the group their items, and the others `None`.
///
/// Unlike [`Take`](super::Take), which is about the whole phase, it is about its own view: all threads take part, and get what the
/// phase's other views hand out.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Each thread doubles its element; the first warp's also write theirs to workgroup memory.
/// #[gpu_kernel(block = 64)]
/// fn double(g: &Group, mut x: PerThread<[u32]>, mut first: Workgroup<[u32; 32]>, mut sums: PerGroup<[u32]>) {
///     g.each((x.elements_mut(), first.elements_mut().first(32)), |_, (x, first)| {
///         if let Some(x) = x {
///             *x *= 2;
///             if let Some(first) = first {
///                 *first = *x;
///             }
///         }
///     });
///     sums.set(g, g.read(&first, 31));
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let (mut x, mut sums) = (stream.upload(&[3; 64])?, stream.alloc_zeroed(1)?);
/// double::load(&device)?.launch(&stream, LaunchConfig::threads(64), (&mut x, &mut sums))?;
/// assert_eq!((stream.download(&x)?, stream.download(&sums)?), (vec![6; 64], vec![6]));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `if (threadIdx.x < n)` around an access to shared memory.
#[derive(Debug)]
pub struct First<V> {
    pub(super) view: V,
    pub(super) threads: usize,
}

// SAFETY: items, access and sizes are the inner view's, for the threads whose numbers are below.
unsafe impl<V: View> View for First<V> {
    type Item<'i> = Option<V::Item<'i>>;
    type Arg = V::Arg;
    type Sizes = (V::Sizes, usize);
    type State = Option<V::State>;
    const ACCESS: Access = V::ACCESS;
    const BY_VALUE: bool = V::BY_VALUE;
    const EDGED: bool = V::EDGED;

    #[inline(always)]
    fn check(&self, block: [usize; 3], threads: usize) {
        self.view.check(block, threads.min(self.threads));
    }

    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'g, V, G>) {
        // SAFETY: the view was checked for the context, and what it gives is opened while the copy lives, as this function asks.
        let (view, kept) = unsafe { self.view.in_order(context) };
        (Self { view, threads: self.threads }, kept)
    }

    #[inline(always)]
    unsafe fn open(self) -> (V::Arg, (V::Sizes, usize)) {
        // SAFETY: a phase's loop opens the view, for one thread's item at a time, as this function asks.
        let (arg, sizes) = unsafe { self.view.open() };
        (arg, (sizes, self.threads))
    }

    #[inline(always)]
    fn inside(
        (sizes, threads): (V::Sizes, usize),
        of: usize,
        group: [usize; 3],
        first: Identity<'_>,
    ) -> Option<(V::Sizes, usize)> {
        Some((V::inside(sizes, of.min(threads), group, first)?, threads))
    }

    #[inline(always)]
    unsafe fn item<'i>(
        arg: &mut V::Arg,
        (sizes, threads): (V::Sizes, usize),
        thread: Identity<'_>,
    ) -> Option<V::Item<'i>> {
        // SAFETY: the inner view was checked for so many threads of the group, and no other item of the thread lives, as this
        // function asks.
        (thread.number() < threads).then(|| unsafe { V::item(arg, sizes, thread) })
    }

    #[inline(always)]
    unsafe fn load(
        arg: &mut V::Arg,
        (sizes, threads): (V::Sizes, usize),
        thread: Identity<'_>,
    ) -> Option<V::State> {
        // SAFETY: the inner view was checked for so many threads of the group, and no other item of the thread lives, as this
        // function asks.
        (thread.number() < threads).then(|| unsafe { V::load(arg, sizes, thread) })
    }

    #[inline(always)]
    unsafe fn lend<'i>(state: &'i mut Option<V::State>) -> Option<V::Item<'i>> {
        // SAFETY: the state was loaded from a view that still lives, as this function asks.
        state.as_mut().map(|state| unsafe { V::lend(state) })
    }

    #[inline(always)]
    unsafe fn store(
        arg: &mut V::Arg,
        (sizes, _): (V::Sizes, usize),
        thread: Identity<'_>,
        state: Option<V::State>,
    ) {
        if let Some(state) = state {
            // SAFETY: `load` gave a state, so that the inner view was checked for this thread, too; no item of it lives, as this
            // function asks.
            unsafe { V::store(arg, sizes, thread, state) };
        }
    }
}
