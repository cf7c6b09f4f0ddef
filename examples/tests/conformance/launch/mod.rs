//! Kernels of threads against naive loops: sizes, shapes, argument kinds, generics.

mod arguments;
mod atomics;
mod casts;
mod elements;
mod limits;
mod matrices;
mod values;
mod volumes;
