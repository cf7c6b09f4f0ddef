//! Segments of elements, by where they begin, or by keys.

use crate::cpu::Read;
use crate::cpu::index::Index;

/// Where segments of elements begin and end.
///
/// # Safety
/// What [`end`](Self::end) and [`begin`](Self::begin) give is in the range that they say.
pub(crate) unsafe trait Segments: Sync {
    /// How far ends have been looked for.
    type Cursor;

    /// Where the search begins for the ends of the segments from that of element `i` on.
    fn cursor(&self, i: usize) -> Self::Cursor;

    /// The end of the segment that element `i` is in, at least `i + 1` and at most `limit`. `i` is no less than in the cursor's calls before.
    ///
    /// # Safety
    /// There are `limit` elements, and `i` is below.
    unsafe fn end(&self, cursor: &mut Self::Cursor, i: usize, limit: usize) -> usize;

    /// The first element of the segment that element `i` is in, if it is `floor` or behind it.
    ///
    /// # Safety
    /// There are more than `i` elements, and `floor` is at most `i`.
    unsafe fn begin(&self, i: usize, floor: usize) -> Option<usize>;
}

/// Segments whose elements' neighbouring keys are the same.
pub(crate) struct Keys<K, F> {
    pub(crate) keys: K,
    pub(crate) same: F,
}

impl<K: Read, F: Fn(&K::Item, &K::Item) -> bool> Keys<K, F> {
    /// # Safety
    /// There are more than `i` keys. `i` isn't 0.
    #[inline(always)]
    unsafe fn begins(&self, i: usize) -> bool {
        // SAFETY: as the caller says.
        unsafe { !(self.same)(&self.keys.get(i - 1), &self.keys.get(i)) }
    }
}

// SAFETY: what is found is in the range that is looked through.
unsafe impl<K: Read, F: Fn(&K::Item, &K::Item) -> bool + Sync> Segments for Keys<K, F> {
    type Cursor = ();

    #[inline(always)]
    fn cursor(&self, _: usize) {}

    #[inline(always)]
    unsafe fn end(&self, (): &mut (), i: usize, limit: usize) -> usize {
        // SAFETY: below the limit, and behind `i`.
        (i + 1..limit).find(|&next| unsafe { self.begins(next) }).unwrap_or(limit)
    }

    #[inline(always)]
    unsafe fn begin(&self, i: usize, floor: usize) -> Option<usize> {
        // SAFETY: `i` at most.
        (floor..=i).rev().find(|&at| at == 0 || unsafe { self.begins(at) })
    }
}

/// Segments that begin at the first element and at offsets, which ascend. Those beyond the last element begin none.
pub(crate) struct Heads<'o, X>(pub(crate) &'o [X]);

// SAFETY: what is behind `i` is looked for, and what isn't; and both are limited.
unsafe impl<X: Index> Segments for Heads<'_, X> {
    /// The number of the first offset that may be behind the element.
    type Cursor = usize;

    #[inline(always)]
    fn cursor(&self, i: usize) -> usize {
        self.0.partition_point(|offset| offset.to_usize() <= i)
    }

    #[inline(always)]
    unsafe fn end(&self, cursor: &mut usize, i: usize, limit: usize) -> usize {
        while let Some(offset) = self.0.get(*cursor) {
            if offset.to_usize() > i {
                return offset.to_usize().min(limit);
            }
            *cursor += 1;
        }
        limit
    }

    #[inline(always)]
    unsafe fn begin(&self, i: usize, floor: usize) -> Option<usize> {
        let before = self.cursor(i).checked_sub(1);
        let begin = before.map_or(0, |number| self.0[number].to_usize());
        (begin >= floor).then_some(begin)
    }
}

/// Offsets that aren't those of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffsetError {
    /// There is none: each segment has one, and the last one's end is one.
    Missing,
    /// An offset is less than the one before.
    OutOfOrder {
        /// The number of the segment that would begin behind its end.
        segment: usize,
    },
    /// The last is larger than the number of elements.
    OutOfBounds {
        /// The last offset.
        offset: usize,
    },
}

/// Where segments begin, and where the last ends: elements before the first are in none. Ascending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets<'o, X>(&'o [X]);

impl<'o, X: Index> Offsets<'o, X> {
    /// Looks at each offset, one after the other.
    ///
    /// # Errors
    /// [`OffsetError`].
    pub(crate) fn new(offsets: &'o [X], len: usize) -> Result<Self, OffsetError> {
        let last = offsets.last().ok_or(OffsetError::Missing)?.to_usize();
        match offsets.windows(2).position(|pair| pair[0].to_usize() > pair[1].to_usize()) {
            Some(segment) => Err(OffsetError::OutOfOrder { segment }),
            None if last > len => Err(OffsetError::OutOfBounds { offset: last }),
            None => Ok(Self(offsets)),
        }
    }

    /// The number of segments.
    pub(crate) fn count(&self) -> usize {
        self.0.len() - 1
    }

    pub(crate) fn first(&self) -> usize {
        self.0[0].to_usize()
    }

    pub(crate) fn last(&self) -> usize {
        self.0[self.count()].to_usize()
    }

    /// The number of the segment that element `i` is in, which is at or behind the first offset, and before the last.
    #[inline(always)]
    pub(crate) fn of(&self, i: usize) -> usize {
        self.0.partition_point(|offset| offset.to_usize() <= i) - 1
    }

    /// Where a segment ends.
    #[inline(always)]
    pub(crate) fn end_of(&self, segment: usize) -> usize {
        self.0[segment + 1].to_usize()
    }

    /// Where a segment begins.
    #[inline(always)]
    pub(crate) fn begin_of(&self, segment: usize) -> usize {
        self.0[segment].to_usize()
    }
}
