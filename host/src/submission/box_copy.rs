/// A copy of a box of bytes: rows of planes, each row in one piece. There is at least a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoxCopy {
    /// Bytes of a row.
    pub(crate) row: usize,
    pub(crate) rows: usize,
    pub(crate) planes: usize,
    pub(crate) from: BoxSide,
    pub(crate) to: BoxSide,
}

/// Where a box lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoxSide {
    /// Offset of the first byte.
    pub(crate) first: usize,
    /// Bytes from a row to the next.
    pub(crate) pitch: usize,
    /// Rows from a plane to the next.
    pub(crate) height: usize,
}

impl BoxSide {
    fn offset(self, plane: usize, row: usize) -> usize {
        // No overflow: a byte of memory that is there.
        self.first + (plane * self.height + row) * self.pitch
    }

    /// The side of a box whose planes are taken for rows.
    fn of_planes(self) -> Self {
        Self { pitch: self.pitch * self.height, height: 1, ..self }
    }
}

impl BoxCopy {
    /// The copy in as few pieces as it can be made: rows, or planes, that lie one behind another on both sides become one.
    pub(crate) fn joined(mut self) -> Self {
        if self.rows == 1 || self.is_tight() {
            self.row *= self.rows;
            (self.rows, self.planes) = (self.planes, 1);
            (self.from, self.to) = (self.from.of_planes(), self.to.of_planes());
            if self.is_tight() {
                (self.row, self.rows) = (self.row * self.rows, 1);
                // Drivers want rows within their pitch, also where there is one.
                (self.from.pitch, self.to.pitch) = (self.row, self.row);
            }
        }
        self
    }

    /// The bytes that are copied.
    pub(crate) fn bytes(&self) -> usize {
        self.row.saturating_mul(self.rows).saturating_mul(self.planes)
    }

    /// Whether a row begins where the one before it ends.
    fn is_tight(&self) -> bool {
        [self.from, self.to].iter().all(|side| side.pitch == self.row)
    }

    /// Offsets of each row on both sides.
    pub(crate) fn offsets(self) -> impl Iterator<Item = (usize, usize)> {
        let Self { rows, planes, from, to, .. } = self;
        (0..planes)
            .flat_map(move |plane| (0..rows).map(move |row| (from.offset(plane, row), to.offset(plane, row))))
    }
}

#[cfg(test)]
mod tests {
    use super::{BoxCopy, BoxSide};

    fn side(first: usize, pitch: usize, height: usize) -> BoxSide {
        BoxSide { first, pitch, height }
    }

    fn bytes(copy: BoxCopy) -> Vec<(usize, usize)> {
        let offsets = copy.offsets();
        offsets.flat_map(|(from, to)| (0..copy.row).map(move |byte| (from + byte, to + byte))).collect()
    }

    #[test]
    fn joined_pieces_are_the_same_bytes() {
        for (row, rows, planes, pieces) in
            [(8, 3, 4, 1), (8, 2, 4, 4), (5, 3, 4, 12), (8, 1, 4, 4), (3, 1, 1, 1), (8, 3, 1, 1)]
        {
            let copy = BoxCopy { row, rows, planes, from: side(16, 8, 3), to: side(0, row, rows) };
            let joined = copy.joined();
            assert_eq!(joined.offsets().count(), pieces, "{copy:?}");
            assert_eq!(bytes(joined), bytes(copy), "{copy:?}");
            assert!(joined.row <= joined.from.pitch && joined.row <= joined.to.pitch, "{joined:?}");
        }
    }
}
