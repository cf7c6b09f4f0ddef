//! What the library casts in place of the compiler.

use crate::FromFloat;

/// `None`: there is an instruction for the cast.
#[inline(always)]
pub fn saturated<N: FromFloat, T: 'static>(_: &T) -> Option<N> {
    None
}
