//! Kernels for Python, on arrays that it has already: a library of plain C functions, which
//! [`gridwright_interop.py`](../python/gridwright_interop.py) loads with `ctypes`. Arrays cross as DLPack tensors, without a copy.
//!
//! ```text
//! cargo build --release -p gridwright-interop
//! GRIDWRIGHT_INTEROP=target/release/libgridwright_interop.so python3 examples/interop/python/demo.py
//! ```

mod kernels;

#[cfg(not(gridwright_device))]
mod library;

#[cfg(not(gridwright_device))]
pub use library::{
    gridwright_address, gridwright_arange, gridwright_drop, gridwright_error, gridwright_hand_out,
    gridwright_place, gridwright_scale,
};
