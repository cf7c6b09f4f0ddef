//! Tables of functions that have no names, which NVIDIA's own libraries ask for.

use std::ffi::c_void;

use crate::abi::{In, Out};
use crate::error::Error;

driver! {
    /// There are none of these tables: NVRTC, which asks for one, then does without it.
    fn cuGetExportTable(table: Out<*const c_void>, _id: In<[u8; 16]>) {
        table.put(std::ptr::null())?;
        Err(Error::NOT_FOUND)
    }
}
