//! What every backend that runs PTX shares: which image is taken, what its entries are called with, and what threads leave to
//! be told.

mod arguments;
pub(super) mod images;
mod launched;
mod message;
mod record;

pub(super) use arguments::Arguments;
pub(super) use launched::Launched;
pub(super) use record::{Link, Shared};
