//! Which thread of a launch a panic is of, as it is noted while the panic unwinds.

use std::cell::Cell;

use gridwright_core::LaunchSizes;

/// The thread that panicked: its workgroup and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The workgroup along x, y and z.
    pub(crate) group: [u32; 3],
    /// The thread in the workgroup along x, y and z.
    pub(crate) thread: [u32; 3],
}

thread_local! {
    static PLACE: Cell<Option<Position>> = const { Cell::new(None) };
}

/// The position of the kernel thread whose panic just unwound on this OS thread, once.
pub(crate) fn take() -> Option<Position> {
    PLACE.take()
}

/// Notes that a panic unwinds through the thread in a column, a row and a plane of a launch.
#[cold]
#[inline(never)]
pub fn panic_in_thread(launch: &LaunchSizes, col: usize, row: usize, plane: usize) {
    let (at, block) = ([col, row, plane], launch.geometry.block);
    PLACE.set(Some(Position {
        group: std::array::from_fn(|axis| (at[axis] / block[axis]) as u32),
        thread: std::array::from_fn(|axis| (at[axis] % block[axis]) as u32),
    }));
}

/// Notes that a panic unwinds through so many groups side by side, if no thread of theirs was noted: one at group level, or of a
/// warp that begins with a thread. `at` is the column, row and plane of the first group's first thread.
#[cold]
#[inline(never)]
pub fn panic_in_groups(launch: &LaunchSizes, at: [usize; 3], thread: [usize; 3], groups: u32) {
    let block = launch.geometry.block;
    let group: [u32; 3] = std::array::from_fn(|axis| (at[axis] / block[axis]) as u32);
    let is_here = |[x, y, z]: [u32; 3]| {
        x.checked_sub(group[0]).is_some_and(|x| x < groups) && [y, z] == [group[1], group[2]]
    };
    // One that a kernel caught may still be noted.
    let of_a_thread = PLACE.get().filter(|position| is_here(position.group));
    PLACE.set(of_a_thread.or(Some(Position { group, thread: thread.map(|at| at as u32) })));
}
