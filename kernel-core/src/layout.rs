/// The layout of a type in memory, as a number: host and device compute it with their own compilers, and
/// the program is built only if they agree.
///
/// It is a hash (FNV-1a, 64 bits; <http://www.isthe.com/chongo/tech/comp/fnv/>) of sizes, alignments, offsets
/// and kinds of primitives, so that types of equal size that differ in kind differ.
///
/// ```
/// use gridwright_core::{Kind, Layout};
///
/// let pair = Layout::structure(8, 4).field(0, Layout::primitive(Kind::Float, 4)).field(4, Layout::of::<u32>());
/// assert_ne!(pair, Layout::structure(8, 4).field(0, Layout::of::<u32>()).field(4, Layout::of::<u32>()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout(u64);

/// What a primitive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer without a sign.
    Unsigned,
    /// An integer with a sign.
    Signed,
    /// A floating-point number of IEEE 754.
    Float,
    /// A `bf16`.
    BrainFloat,
    /// A vector or matrix of a library, which fixes its own layout.
    Vector,
}

impl Layout {
    /// The layout of a kernel argument.
    ///
    /// ```
    /// assert_eq!(gridwright_core::Layout::of::<u32>(), gridwright_core::Layout::of::<u32>());
    /// ```
    pub const fn of<T: crate::KernelArg>() -> Self {
        T::LAYOUT
    }

    /// A primitive of a number of bytes.
    ///
    /// ```
    /// use gridwright_core::{Kind, Layout};
    ///
    /// assert_eq!(Layout::primitive(Kind::Signed, 8), Layout::of::<i64>());
    /// ```
    pub const fn primitive(kind: Kind, size: usize) -> Self {
        EMPTY.and(1 + kind as u64).and(size as u64)
    }

    /// So many of one type.
    ///
    /// ```
    /// use gridwright_core::Layout;
    ///
    /// assert_eq!(Layout::array(4, Layout::of::<f32>()), Layout::of::<[f32; 4]>());
    /// ```
    pub const fn array(len: usize, element: Self) -> Self {
        EMPTY.and(100).and(len as u64).and(element.0)
    }

    /// A struct of a size and an alignment; [`field`](Self::field) adds its fields.
    ///
    /// ```
    /// let empty = gridwright_core::Layout::structure(0, 1);
    /// ```
    pub const fn structure(size: usize, alignment: usize) -> Self {
        EMPTY.and(101).and(size as u64).and(alignment as u64)
    }

    /// The struct with one more field.
    ///
    /// ```
    /// use gridwright_core::Layout;
    ///
    /// let meters = Layout::structure(4, 4).field(0, Layout::of::<f32>());
    /// ```
    #[must_use]
    pub const fn field(self, offset: usize, layout: Self) -> Self {
        self.and(offset as u64).and(layout.0)
    }

    /// The number.
    ///
    /// ```
    /// let word: u64 = gridwright_core::Layout::of::<f32>().word();
    /// ```
    pub const fn word(self) -> u64 {
        self.0
    }

    const fn and(self, word: u64) -> Self {
        let bytes = word.to_le_bytes();
        let mut hash = self.0;
        let mut i = 0;
        while i < bytes.len() {
            hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            i += 1;
        }
        Self(hash)
    }
}

const EMPTY: Layout = Layout(0xcbf2_9ce4_8422_2325);
