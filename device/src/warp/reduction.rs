use gridwright_core::KernelArg;

/// An operation that values of lanes are combined by, known when the kernel is compiled.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// Integers that the lanes of a warp reduce by a named operation, as [`reduce_add`](crate::Threads::reduce_add) does: `u32`, `i32`, `u64` and
/// `i64`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::warp::WarpInteger;
///
/// /// The sum of the values of a warp's lanes.
/// fn sum<S: GroupShape, T: WarpInteger>(w: &Warp<'_, S>, values: &Private<'_, T>) -> T {
///     w.reduce_add(values)
/// }
/// ```
///
/// # Safety
/// `WORD` is right, and the two conversions are each other's inverse where there is a word.
#[diagnostic::on_unimplemented(
    message = "lanes can't reduce `{Self}` by a named operation",
    note = "`u32`, `i32`, `u64` and `i64` they can; for others there is `reduce`, which takes a closure"
)]
pub unsafe trait WarpInteger: KernelArg {
    /// The word of 32 bits that the integer is, if it is one.
    #[doc(hidden)]
    const WORD: Option<Word>;

    #[doc(hidden)]
    fn to_word(self) -> u32;

    #[doc(hidden)]
    fn from_word(word: u32) -> Self;

    #[doc(hidden)]
    fn combined(self, other: Self, reduction: Reduction) -> Self;
}

/// What the 32 bits of an integer stand for.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub is_signed: bool,
}

macro_rules! integers {
    ($($integer:ty, $word:expr;)*) => {$(
        // SAFETY: it is, and they are.
        unsafe impl WarpInteger for $integer {
            const WORD: Option<Word> = $word;

            #[inline(always)]
            fn to_word(self) -> u32 {
                self as u32
            }

            #[inline(always)]
            fn from_word(word: u32) -> Self {
                word as Self
            }

            #[inline(always)]
            fn combined(self, other: Self, reduction: Reduction) -> Self {
                match reduction {
                    Reduction::Add => self.wrapping_add(other),
                    Reduction::Min => self.min(other),
                    Reduction::Max => self.max(other),
                    Reduction::And => self & other,
                    Reduction::Or => self | other,
                    Reduction::Xor => self ^ other,
                }
            }
        }
    )*};
}

integers! {
    u32, Some(Word { is_signed: false });
    i32, Some(Word { is_signed: true });
    u64, None;
    i64, None;
}
