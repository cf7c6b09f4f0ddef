use core::ops::Range;

/// A rectangle of threads of one plane, in the launch's coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Rows.
    pub rows: Range<usize>,
    /// Columns.
    pub cols: Range<usize>,
}

impl Rect {
    /// Every position.
    pub const ALL: Self = Self { rows: 0..usize::MAX, cols: 0..usize::MAX };

    /// The positions in both.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { rows: overlap(&self.rows, &other.rows), cols: overlap(&self.cols, &other.cols) }
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() || self.cols.is_empty()
    }

    /// Cuts `self` into `inner`, which is a part of it, and the strips above, left, right and below, which the
    /// left and the right one get the corners of.
    pub fn around(&self, inner: &Self) -> Strips {
        let across = |rows| Self { rows, cols: inner.cols.clone() };
        let down = |cols| Self { rows: self.rows.clone(), cols };
        Strips {
            above: across(self.rows.start..inner.rows.start),
            left: down(self.cols.start..inner.cols.start),
            right: down(inner.cols.end..self.cols.end),
            below: across(inner.rows.end..self.rows.end),
        }
    }
}

/// What is left of a rectangle around another.
#[derive(Clone, Debug)]
pub struct Strips {
    /// The rows above, between left and right.
    pub above: Rect,
    /// The columns to the left.
    pub left: Rect,
    /// The columns to the right.
    pub right: Rect,
    /// The rows below, between left and right.
    pub below: Rect,
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}
