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

    /// Cuts `self` into `inner`, which is a part of it, and up to four strips around that: above, below,
    /// left, right.
    pub fn around(&self, inner: &Self) -> [Self; 4] {
        [
            Self { rows: self.rows.start..inner.rows.start, cols: self.cols.clone() },
            Self { rows: inner.rows.end..self.rows.end, cols: self.cols.clone() },
            Self { rows: inner.rows.clone(), cols: self.cols.start..inner.cols.start },
            Self { rows: inner.rows.clone(), cols: inner.cols.end..self.cols.end },
        ]
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}
