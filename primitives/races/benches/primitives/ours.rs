//! Ours.

use gridwright::prelude::*;

use crate::algorithm::Algorithm;
use crate::arena::Arena;
use crate::contestant::Contestant;
use crate::value::{self, Number, Pair};

pub(crate) const NAME: &str = "Gridwright";

/// What buffers can hold.
pub(crate) trait Value {}

impl<T> Value for T {}

/// All but histograms and the sort of pairs.
pub(crate) fn enter<T: value::Value>(
    _device: &Device,
    _algorithm: Algorithm,
    _arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    Ok(None)
}

/// The sort of keys with values.
pub(crate) fn enter_pairs(
    _device: &Device,
    _arena: &Arena<Pair>,
) -> anyhow::Result<Option<Contestant<'static, Pair>>> {
    Ok(None)
}

pub(crate) fn enter_histogram<T: Number>(
    _device: &Device,
    _arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    Ok(None)
}
