use std::ops::Range;

use crate::{Error, KeyBits, SortKey};

/// The order of a radix sort.
///
/// ```
/// use gridwright_primitives::SortOrder;
///
/// /// By the high half of a `u32`, the highest first.
/// const ORDER: SortOrder = SortOrder::descending().bits(16..32);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortOrder {
    is_descending: bool,
    bits: Option<(u32, u32)>,
}

impl SortOrder {
    /// The least key first.
    ///
    /// ```
    /// assert_eq!(gridwright_primitives::SortOrder::ascending(), Default::default());
    /// ```
    #[must_use]
    pub const fn ascending() -> Self {
        Self { is_descending: false, bits: None }
    }

    /// The highest key first. Equal keys stay in their order.
    ///
    /// ```
    /// use gridwright_primitives::SortOrder;
    ///
    /// assert_ne!(SortOrder::descending(), SortOrder::ascending());
    /// ```
    #[must_use]
    pub const fn descending() -> Self {
        Self { is_descending: true, bits: None }
    }

    /// By some bits of what [`SortKey::to_bits`] gives; bit 0 is the lowest. A sort takes the longer the more bits there are.
    ///
    /// ```
    /// use gridwright_primitives::SortOrder;
    ///
    /// let by_the_lowest_byte = SortOrder::ascending().bits(0..8);
    /// ```
    #[must_use]
    pub const fn bits(self, bits: Range<u32>) -> Self {
        Self { bits: Some((bits.start, bits.end)), ..self }
    }

    pub(crate) fn is_descending(self) -> bool {
        self.is_descending
    }

    /// The bits for keys of a type.
    pub(crate) fn range<K: SortKey>(self) -> Result<Range<u32>, Error> {
        let width = <K::Bits as KeyBits>::WIDTH;
        let (start, end) = self.bits.unwrap_or((0, width));
        if end > width {
            return Err(Error::Limit { what: "bits of a key", given: end as usize, most: width as usize });
        }
        Ok(start.min(end)..end)
    }
}
