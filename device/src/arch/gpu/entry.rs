use core::marker::PhantomData;

use super::Identity;
use crate::arch::hardware;
use crate::block::Block;
use crate::{Local, Thread};

/// The last position of a launch along an axis, in the width of the kernel's index arithmetic.
///
/// The last one rather than their number, since 2³² positions don't fit a `u32`.
pub trait Last: Copy + From<u32> {
    /// `group * size + thread`, in this width.
    fn position(group: u32, size: u32, thread: u32) -> Self;
    /// `row * (last_col + 1) + col`, in this width.
    fn index(row: Self, last_col: Self, col: Self) -> Self;
    /// Whether a position is in the launch, of which this is the last one.
    fn holds(self, position: Self) -> bool;
    /// Whether a position is among the first so many.
    fn is_below(self, count: u32) -> bool;
    /// The position as a number of elements.
    fn widen(self) -> usize;
}

macro_rules! widths {
    ($($width:ty)*) => {$(
        impl Last for $width {
            #[inline(always)]
            fn position(group: u32, size: u32, thread: u32) -> Self {
                (group as $width).wrapping_mul(size as $width).wrapping_add(thread as $width)
            }

            #[inline(always)]
            fn index(row: Self, last_col: Self, col: Self) -> Self {
                row.wrapping_mul(last_col.wrapping_add(1)).wrapping_add(col)
            }

            #[inline(always)]
            fn holds(self, position: Self) -> bool {
                position <= self
            }

            #[inline(always)]
            fn is_below(self, count: u32) -> bool {
                self < count as $width
            }

            #[inline(always)]
            fn widen(self) -> usize {
                self as usize
            }
        }
    )*};
}

widths!(u32 u64);

/// This thread, or `None` where its group reaches beyond the launch: it must do nothing then.
///
/// # Safety
/// As for [`any_thread`].
#[inline(always)]
pub unsafe fn thread<'t, B: Block, L: Last, const RANK: usize>(last: [L; RANK]) -> Option<Thread<'t>> {
    let (place, thread) = place::<B, L, RANK>(last);
    let inside = (0..RANK).all(|axis| last[axis].holds(place[axis]));
    inside.then_some(thread)
}

/// This thread, or `None` where it owns nothing of a matrix or a volume: for a kernel that begins by asking for its element of
/// that, and does nothing without it. `owners` are the columns, rows and planes of threads in the launch that can have one.
///
/// # Safety
/// As for [`any_thread`].
#[inline(always)]
pub unsafe fn owner<'t, B: Block, L: Last, const RANK: usize, const AXES: usize>(
    last: [L; RANK],
    owners: [u32; AXES],
) -> Option<Thread<'t>> {
    let (place, thread) = place::<B, L, RANK>(last);
    let is_owner = (0..AXES).all(|axis| place[axis].is_below(owners[axis]));
    is_owner.then_some(thread)
}

/// This thread, be it in the launch or not: for a kernel that begins by asking for an element that only
/// threads in the launch own, and does nothing without it.
///
/// `last` has an element for each axis that the kernel tells apart; the launcher lets the others have one
/// position.
///
/// # Safety
/// In a kernel's entry, once, with the launch's own `last`; the block is the launch's.
#[inline(always)]
pub unsafe fn any_thread<'t, B: Block, L: Last, const RANK: usize>(last: [L; RANK]) -> Thread<'t> {
    place::<B, L, RANK>(last).1
}

#[inline(always)]
fn place<'t, B: Block, L: Last, const RANK: usize>(last: [L; RANK]) -> ([L; 3], Thread<'t>) {
    let (group, thread) = (hardware::group_in_grid(), hardware::thread_in_group());
    let size = B::SIZES.map_or_else(hardware::group_size, |sizes| sizes.map(|size| size as u32));
    let position = |axis: usize| L::position(group[axis], size[axis], thread[axis]);
    let zero = L::position(0, 0, 0);
    let place: [L; 3] = core::array::from_fn(|axis| if axis < RANK { position(axis) } else { zero });
    let [col, row, plane] = place;
    let index = match RANK {
        1 => col,
        2 => L::index(row, last[0], col),
        _ => L::index(L::index(plane, last[1], row), last[0], col),
    };
    let ([x, y, z], [cols, rows, planes]) = (thread, size);
    let number = (z * rows + y) * cols + x;
    let ([group_x, group_y, group_z], [groups_x, groups_y, groups_z]) =
        (group.map(|at| at as usize), hardware::groups_in_grid().map(|count| count as usize));
    let identity = Identity {
        col: col.widen(),
        row: row.widen(),
        plane: plane.widen(),
        index: index.widen(),
        local: Local { x: x as usize, y: y as usize, z: z as usize },
        number: number as usize,
        lane: (number % hardware::warp_size()) as usize,
        threads: (cols * rows * planes) as usize * groups_x * groups_y * groups_z,
        group: (group_z * groups_y + group_y) * groups_x + group_x,
        _kernel: PhantomData,
    };
    (place, Thread::new(identity))
}
