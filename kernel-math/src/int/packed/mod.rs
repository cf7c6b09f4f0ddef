//! Four bytes or two halves in a word, and what is done with all of them at once.
//!
//! `lanes` has the operations for words with lanes of either width, the types are [`U8x4`] and [`U16x2`] in `unsigned`, [`I8x4`] and
//! [`I16x2`] in `signed`.

mod dot;
mod lanes;
mod signed;
mod types;
mod unsigned;

pub use types::{I8x4, I16x2, Packed, U8x4, U16x2};
