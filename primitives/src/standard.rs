//! The library's own instances.

use gridwright::prelude::*;

use crate::operators::{Add, Max, Min};
use crate::source::Slice;

/// The library's instances: of numbers, and of the [operators](crate::operators) that most need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

instance! { impl crate::Reduce<Slice<u32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<f32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Max> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Min> for Standard; }

instance! { impl crate::Scan<Slice<u32>, Add> for Standard; }
