//! The algorithms against plain loops.

mod histogram;
mod map;
mod reduce;
mod scan;
mod select;
