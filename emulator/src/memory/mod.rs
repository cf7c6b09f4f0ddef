//! A device's memory: allocations at addresses that are never reused, with gaps between them.

mod allocation;
mod table;

pub(crate) use allocation::Backing;
pub(crate) use table::{DeviceMemory, Table};
