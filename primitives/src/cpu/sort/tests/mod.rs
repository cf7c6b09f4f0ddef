//! Sorts beside std's.

mod merge;
mod radix;
mod segments;
