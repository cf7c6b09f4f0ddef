//! Tables of functions that have no names, which NVIDIA's own libraries ask for.

use std::ffi::c_void;

use crate::abi::{In, Out};
use crate::error::Error;

driver! {
    /// There are none of these tables. NVRTC asks for one and does without it. `libcudart` asks for `6bd5fb6c-…` and `f8cff951-…` first,
    /// with its own forms of modules and contexts and a check of the driver's identity behind them, and refuses a driver without.
    fn cuGetExportTable(table: Out<*const c_void>, _id: In<[u8; 16]>) {
        table.put(std::ptr::null())?;
        Err(Error::NOT_FOUND)
    }
}
