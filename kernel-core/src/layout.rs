use crate::Digest;

/// The layout of a type in memory, as a fingerprint: host and device compute it with their own compilers, and
/// the program is built only if they agree.
///
/// It is a [`Digest`] of sizes, alignments, offsets and kinds of primitives, so that types of equal size that differ in kind differ.
///
/// ```
/// use gridwright_core::{Kind, Layout};
///
/// let pair = Layout::structure(8, 4).field(0, Layout::primitive(Kind::Float, 4)).field(4, Layout::of::<u32>());
/// assert_ne!(pair, Layout::structure(8, 4).field(0, Layout::of::<u32>()).field(4, Layout::of::<u32>()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout(Digest);

/// The kind of a primitive.
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
        Self(Digest::of("primitive").numbers(&[kind as u64, size as u64]))
    }

    /// An array of `len` values of one type.
    ///
    /// ```
    /// use gridwright_core::Layout;
    ///
    /// assert_eq!(Layout::array(4, Layout::of::<f32>()), Layout::of::<[f32; 4]>());
    /// ```
    pub const fn array(len: usize, element: Self) -> Self {
        Self(Digest::of("array").numbers(&[len as u64]).layout(element))
    }

    /// A struct of a size and an alignment; [`field`](Self::field) adds its fields.
    ///
    /// ```
    /// let empty = gridwright_core::Layout::structure(0, 1);
    /// ```
    pub const fn structure(size: usize, alignment: usize) -> Self {
        Self(Digest::of("structure").numbers(&[size as u64, alignment as u64]))
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
        Self(self.0.numbers(&[offset as u64]).layout(layout))
    }

    /// The fingerprint.
    ///
    /// ```
    /// use gridwright_core::Layout;
    ///
    /// assert_ne!(Layout::of::<f32>().digest(), Layout::of::<u32>().digest());
    /// ```
    pub const fn digest(self) -> Digest {
        self.0
    }

    /// Whether two layouts are the same, in a constant.
    ///
    /// ```
    /// use gridwright_core::Layout;
    ///
    /// const { assert!(!Layout::is(Layout::of::<f32>(), Layout::of::<u32>())) }
    /// ```
    pub const fn is(self, other: Self) -> bool {
        self.0.is(other.0)
    }

    /// A part of the fingerprint.
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let word: u64 = gridwright_core::Layout::of::<f32>().word();
    /// ```
    #[deprecated(since = "0.1.0", note = "two layouts could share it: use `digest`")]
    pub const fn word(self) -> u64 {
        self.0.words()[0]
    }
}
