//! The algorithms on the CPU, on slices, by the threads of the device.

mod read;

pub(crate) use gridwright::launch::Workers;
pub(crate) use read::Read;
