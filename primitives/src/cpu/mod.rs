//! The algorithms on the CPU, on slices, by the threads of the device.

mod index;
mod read;
#[cfg_attr(not(test), expect(dead_code, reason = "called by the device-wide functions, which come next"))]
mod search;
mod shared;
#[cfg_attr(
    not(test),
    allow(dead_code, unused_imports, reason = "called by the device-wide functions, which come next")
)]
mod sort;
#[cfg(test)]
mod testing;
#[cfg_attr(not(test), expect(dead_code, reason = "called by the device-wide functions, which come next"))]
mod top_k;

pub(crate) use gridwright::launch::Workers;
pub(crate) use read::Read;
