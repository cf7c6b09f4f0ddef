//! What every backend that runs PTX shares: which image is taken.

pub(super) mod images;
