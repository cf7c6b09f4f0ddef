use gridwright_core::KernelArg;

use super::{LanePartition, LaneTiles, Warp};
use crate::Private;
use crate::arch::{self, GroupShape};

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

/// Integers that the lanes of a warp reduce by a named operation, as [`Warp::reduce_add`] does: `u32`, `i32`, `u64` and
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

/// The named operations, for a type whose collectives are `$result`.
macro_rules! named {
    ($lifetime:lifetime $result:ident; $this:ident $values:ident $reduction:ident => $reduce:expr) => {
        named! { each $lifetime $result; $this $values $reduction => $reduce;
            /// The sum of the lanes' values, wrapping around.
            reduce_add Add;
            /// The least of the lanes' values.
            reduce_min Min;
            /// The greatest of the lanes' values.
            reduce_max Max;
            /// The bits that are set in all of the lanes' values.
            reduce_and And;
            /// The bits that are set in any of the lanes' values.
            reduce_or Or;
            /// The bits that are set in an odd number of the lanes' values.
            reduce_xor Xor;
        }
    };
    (each $lifetime:lifetime one; $this:ident $values:ident $reduction:ident => $reduce:expr;
        $($(#[$doc:meta])* $name:ident $operation:ident;)*) => {$(
        named! { method $(#[$doc])* $name $operation, T; $this $values $reduction => $reduce }
    )*};
    (each $lifetime:lifetime private; $this:ident $values:ident $reduction:ident => $reduce:expr;
        $($(#[$doc:meta])* $name:ident $operation:ident;)*) => {$(
        named! { method $(#[$doc])* $name $operation, Private<$lifetime, T>; $this $values $reduction => $reduce }
    )*};
    (method $(#[$doc:meta])* $name:ident $operation:ident, $result:ty;
        $this:ident $values:ident $reduction:ident => $reduce:expr) => {
        $(#[$doc])*
        ///
        /// On NVIDIA's GPUs from sm_80 on it is one instruction for integers of 32 bits, `redux.sync`.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<u32>) {
        #[doc = concat!("let of_the_warp = w.", stringify!($name), "(values);")]
        #[doc = concat!("let of_each_eight = w.tiled::<8>().", stringify!($name), "(values);")]
        /// # }
        /// ```
        ///
        /// # From CUDA
        /// `__reduce_add_sync` and its like; of tiles and partitions `cg::reduce`.
        #[inline(always)]
        pub fn $name<T: WarpInteger>(&self, $values: &Private<'_, T>) -> $result {
            let ($this, $reduction) = (self, Reduction::$operation);
            $reduce
        }
    };
}

impl<'w, S: GroupShape> Warp<'w, S> {
    named! { 'w one; this values reduction =>
        arch::warp::reduce_integers_to_one(&this.team, &values.cells, reduction)
    }
}

impl<'k, S: GroupShape, const N: usize> LaneTiles<'_, 'k, S, N> {
    named! { 'k private; this values reduction =>
        Private { cells: arch::warp::reduce_integers(&this.team(), &values.cells, reduction) }
    }
}

impl<'w, S: GroupShape> LanePartition<'_, 'w, S> {
    named! { 'w private; this values reduction => this.reduce_integers(values, reduction) }
}
