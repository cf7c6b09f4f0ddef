//! A crate to be called `core`: all of `core`, but for what the macros' checks would rest on if they named it. And names to be brought
//! into scope that mean something else. Without `unsafe`.
#![no_std]
#![forbid(unsafe_code)]

pub use ::core::*;

pub mod mem;

pub mod primitive;

pub mod real;

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

pub mod names;

mod methods;

pub use methods::Methods;
