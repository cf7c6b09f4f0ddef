//! Tables of functions that have no names, which NVIDIA's own libraries ask for.

use std::ffi::c_void;

use crate::abi::{In, Out};
use crate::error::Error;

driver! {
    /// There are none of these tables. NVRTC asks for one and does without it. `libcudart` needs six of them before its first call, and
    /// one, `d4082055-…`, answers a keyed hash by which it makes sure that the driver is NVIDIA's own: this one isn't, and doesn't say so.
    fn cuGetExportTable(table: Out<*const c_void>, _id: In<[u8; 16]>) {
        table.put(std::ptr::null())?;
        Err(Error::NOT_FOUND)
    }
}
