//! Kernels for Python, on arrays that it has already: a library of plain C functions, which
//! [`gridwright_dlpack.py`](../python/gridwright_dlpack.py) loads with `ctypes`. Arrays cross as DLPack tensors, without a copy.
//!
//! ```text
//! cargo build --release -p gridwright-dlpack
//! GRIDWRIGHT_DLPACK=target/release/libgridwright_dlpack.so python3 examples/dlpack/python/demo.py
//! ```

mod kernels;

#[cfg(not(gridwright_device))]
mod library;

#[cfg(not(gridwright_device))]
pub use library::{
    gridwright_address, gridwright_arange, gridwright_drop, gridwright_error, gridwright_hand_out,
    gridwright_place, gridwright_scale,
};
