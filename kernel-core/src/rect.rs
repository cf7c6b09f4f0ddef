use core::ops::Range;

/// A rectangle of threads of one plane, in the launch's coordinates.
///
/// ```
/// use gridwright_core::Rect;
///
/// let (a, b) = (Rect { rows: 0..5, cols: 3..9 }, Rect { rows: 2..8, cols: 0..4 });
/// assert_eq!(a.intersection(&b), Rect { rows: 2..5, cols: 3..4 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Rows of the rectangle.
    pub rows: Range<usize>,
    /// Columns of the rectangle.
    pub cols: Range<usize>,
}

impl Rect {
    /// The rectangle of every position.
    pub const ALL: Self = Self { rows: 0..usize::MAX, cols: 0..usize::MAX };

    /// The positions that are in both rectangles.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { rows: overlap(&self.rows, &other.rows), cols: overlap(&self.cols, &other.cols) }
    }

    /// Whether no position is in the rectangle.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() || self.cols.is_empty()
    }

    /// Pieces of the rectangle of so many rows, at least one, the last of what is left.
    pub fn bands(&self, rows: usize) -> impl Iterator<Item = Self> + use<> {
        let Self { rows: Range { start, end }, cols } = self.clone();
        (start..end)
            .step_by(rows)
            .map(move |row| Self { rows: row..end.min(row.saturating_add(rows)), cols: cols.clone() })
    }

    /// What of `self` isn't in `inner`, cut into the strips above, left, right and below, of which the left and the right one get
    /// the corners.
    pub fn around(&self, inner: &Self) -> Strips {
        let here = |row: usize| row.clamp(self.rows.start, self.rows.end);
        let across = |rows| Self { rows, cols: inner.cols.clone() };
        let down = |cols| Self { rows: self.rows.clone(), cols };
        Strips {
            above: across(self.rows.start..here(inner.rows.start)),
            left: down(self.cols.start..inner.cols.start),
            right: down(inner.cols.end..self.cols.end),
            below: across(here(inner.rows.end)..self.rows.end),
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
