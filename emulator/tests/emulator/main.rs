//! The emulator, from PTX to results.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod async_copies;
mod bulk_copies;
mod checks;
mod clusters;
mod counts;
mod defects;
mod detail;
mod device;
mod divergence;
mod divisions;
mod floats;
mod fragments;
mod harness;
mod integers;
mod matrices;
mod memory;
mod nvcc;
mod nvcc_textures;
mod orders;
mod padding;
mod parser;
mod probes;
mod products;
mod rustc;
mod sampling;
mod surfaces;
mod tensor_copies;
mod textures;
mod warpgroups;
