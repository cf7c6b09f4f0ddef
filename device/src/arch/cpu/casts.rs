//! What the library casts in place of the compiler.

use core::any::{Any, TypeId};

use crate::FromFloat;

/// What `as` gives, of a float; of other values `None`.
#[inline(always)]
pub fn saturated<N: FromFloat, T: 'static>(value: &T) -> Option<N> {
    let of = TypeId::of::<T>();
    let value: &dyn Any = value;
    if of == TypeId::of::<f32>() {
        value.downcast_ref().map(|&value| N::of_f32(value))
    } else if of == TypeId::of::<f64>() {
        value.downcast_ref().map(|&value| N::of_f64(value))
    } else {
        None
    }
}
