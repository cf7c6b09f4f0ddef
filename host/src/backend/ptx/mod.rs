//! What every backend that runs PTX shares: which image is taken, and what its entries are called with.

mod arguments;
pub(super) mod images;

pub(super) use arguments::Arguments;
