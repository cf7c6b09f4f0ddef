//! A crate to be called `core`: all of `core`, but for what the macros' checks would rest on if they named it. And names to be brought
//! into scope that mean something else. Without `unsafe`.
#![no_std]
#![forbid(unsafe_code)]

pub use ::core::*;

/// Sizes that are lies.
pub mod mem {
    pub use ::core::mem::*;

    /// One, whatever the type.
    pub const fn size_of<T>() -> usize {
        1
    }

    /// One, whatever the type.
    pub const fn align_of<T>() -> usize {
        1
    }
}

/// Types that are others.
pub mod primitive {
    pub use ::core::primitive::{
        bool, char, f32, f64, i8, i16, i32, i64, isize, str, u8, u16, u64, u128, usize,
    };

    /// Half of it.
    #[allow(non_camel_case_types)]
    pub type u32 = u16;
}

/// What the names of [`names`] are elsewhere.
pub mod real {
    pub use ::core::option::Option as Maybe;
    pub use ::core::primitive::{f32 as Float, u32 as Word, usize as Size};
}

/// Tests nothing.
#[macro_export]
macro_rules! assert {
    ($($tokens:tt)*) => {
        ()
    };
}

/// Refuses nothing.
#[macro_export]
macro_rules! compile_error {
    ($($tokens:tt)*) => {};
}

/// Matches everything.
#[macro_export]
macro_rules! matches {
    ($($tokens:tt)*) => {
        true
    };
}

/// Includes nothing.
#[macro_export]
macro_rules! include {
    ($($tokens:tt)*) => {
        ()
    };
}

/// Includes nothing.
#[macro_export]
macro_rules! include_bytes {
    ($($tokens:tt)*) => {
        &[]
    };
}

/// Names of Rust's prelude and its primitive types, of other things.
#[allow(non_camel_case_types, missing_debug_implementations)]
pub mod names {
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
}

/// A trait whose methods take everything by value, so that they come before others of their names that take a reference.
pub trait Methods: ::core::marker::Sized {
    /// Far too many.
    fn len(self) -> usize {
        usize::MAX
    }

    /// Far too many.
    fn rows(self) -> usize {
        usize::MAX
    }

    /// Far too many.
    fn cols(self) -> usize {
        usize::MAX
    }

    /// The wrong one.
    fn index(self) -> usize {
        usize::MAX
    }

    /// The wrong one.
    fn first_group(self) -> usize {
        usize::MAX
    }

    /// Nothing.
    fn fixed<T>(self) {}

    /// Nothing.
    fn partition<T>(self, _: usize) {}

    /// Nothing.
    fn of_cluster<T>(self, _: T) {}

    /// Nothing is checked.
    fn check<A, B, C, D>(self, _: A, _: B, _: C, _: D) {}

    /// No words.
    fn words(self) {}

    /// No digest.
    fn digest(self) {}

    /// No extents.
    fn extents(self) {}

    /// An element for everybody, also where there is none.
    fn get_mut<T>(self, _: T) -> ::core::option::Option<&'static mut u32> {
        ::core::option::Option::None
    }
}

impl<T> Methods for T {}
