//! The memory by which the groups of a grid meet: a barrier, and behind it a place for a value of each group.

/// Bytes before the places for values.
pub const GRID_BOARD: usize = 64;

/// The bytes of a place: as many as the largest value has that groups exchange.
pub const GRID_PLACE: usize = 32;

/// The bytes that a launch of so many groups gives to a kernel of a grid, or `None` if they are too many to count.
///
/// ```
/// assert_eq!(gridwright_core::grid_bytes(10), Some(64 + 10 * 32));
/// assert_eq!(gridwright_core::grid_bytes(usize::MAX), None);
/// ```
pub fn grid_bytes(groups: usize) -> Option<usize> {
    groups.checked_mul(GRID_PLACE)?.checked_add(GRID_BOARD)
}
