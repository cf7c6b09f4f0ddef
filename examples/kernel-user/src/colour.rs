//! A type of the user's.

use gridwright::prelude::*;

/// A colour, which no library knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, KernelArg)]
#[repr(C)]
pub struct Colour {
    /// Red.
    pub red: f32,
    /// Green.
    pub green: f32,
    /// Blue.
    pub blue: f32,
}
