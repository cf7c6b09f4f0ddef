//! Sorts: by digits and by comparison, of all elements and within segments.

mod insertion;
mod items;
mod key;
mod lsd;
mod merge;
mod order;
mod partition;
mod radix;
mod segments;

#[cfg(test)]
mod tests;

pub(crate) use key::Bits;
pub(crate) use key::RadixKey;
pub(crate) use merge::merge_sort;
pub(crate) use order::Order;
pub(crate) use radix::{radix_sort, radix_sort_keys};
pub(crate) use segments::{SegmentOutside, merge_sort_segments, sort_segments};
