//! A Python extension module, `gridwright_sample`: a function over lists of numbers that a kernel computes.

#[cfg(not(gridwright_device))]
mod module;
mod saxpy;
