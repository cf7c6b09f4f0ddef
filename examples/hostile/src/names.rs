//! Names of Rust's prelude and its primitive types, of other things.
#![allow(non_camel_case_types, missing_debug_implementations)]

macro_rules! structs {
    ($($name:ident)*) => {
        $(
            #[doc = "Nothing."]
            pub struct $name;
        )*
    };
}

structs! {
    Clone Copy Default Drop Fn FnMut FnOnce Iterator None Option Result Send Sized Sync
    bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize
}

/// Takes anything.
#[allow(non_snake_case)]
pub fn Some<T>(_: T) {}

/// Takes anything.
#[allow(non_snake_case)]
pub fn Ok<T>(_: T) {}

/// Takes anything.
#[allow(non_snake_case)]
pub fn Err<T>(_: T) {}

pub use crate::{assert, compile_error, include, include_bytes, matches};
