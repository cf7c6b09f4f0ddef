//! A CUDA device's memory and streams for [cudarc], and back, without a copy: so that cuBLAS, cuFFT, cuRAND, cuSPARSE, cuSOLVER,
//! cuDNN and NCCL work on them. Behind the feature `cudarc`, which is off by default: the types of a version of cudarc are in
//! this module's signatures, so that a new one of those is a new one of Gridwright's. Everything else is free of it.
//!
//! | to use | |
//! |---|---|
//! | buffers in a call of a library | [`scope`], which lends them |
//! | a buffer in types of cudarc's for longer | [`into_cudarc`], and back [`from_cudarc`] |
//! | a stream | [`cudarc_stream`], and back [`stream_from_cudarc`]; [`raw_stream`], and back [`stream_from_raw`] |
//! | the context | [`context`]: cudarc's own device of the same index has the same one |
//!
//! The libraries are features of cudarc, which the program names itself, with the version that is re-exported here:
//!
//! ```toml
//! gridwright = { version = "0.1", features = ["cudarc"] }
//! cudarc = { version = "0.19", default-features = false, features = ["std", "cublas", "dynamic-loading", "cuda-12000"] }
//! ```
//!
//! # What keeps to the order
//!
//! What is lent or handed over waits for the uses before it, and later uses wait for it, on whatever streams. Within cudarc's
//! types it is cudarc that sees to the order, by events of each slice, and this module has it do so for our streams too. What it
//! doesn't see to, with its own memory neither:
//!
//! - Several streams that read a slice at once: cudarc remembers the last one. Use it on one stream, or wait before it is
//!   written or handed back.
//! - Streams of another `CudaContext` of the same device than the slice's: take the one of [`context`].
//! - A copy to another device, which reads on that one's stream: wait for it.
//! - Graphs, which keep no slices alive. Don't have cudarc capture a stream of ours.
//!
//! What is lent in a [`scope`] is looked after by this module, which knows no such gap but the copy and the graphs.

use std::sync::Arc;

pub use cudarc;
use cudarc::driver::CudaContext;

use crate::backend::{Cuda, cuda_of};
use crate::{Device, Error};

mod memory;
mod scope;
mod stream;

pub use memory::{from_cudarc, into_cudarc};
pub use scope::{Lent, LentMut, Scope, scope};
pub use stream::{cudarc_stream, raw_stream, stream_from_cudarc, stream_from_raw};

/// cudarc's type for a device's context: the primary one, which all of the process share. It is the same each time while the
/// device is open.
///
/// The first call waits for the device's work.
///
/// # Errors
/// [`Error::Interop`] for a device that isn't CUDA's, [`Error::DeviceLost`], [`Error::Backend`].
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let context = interop::context(&Device::cuda(0)?)?;
/// println!("{:?}", context.mem_get_info());
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cuDevicePrimaryCtxRetain`, as cudarc's type.
pub fn context(device: &Device) -> Result<Arc<CudaContext>, Error> {
    cuda(device, "interop::context")?.cudarc_context()
}

/// The backend of a CUDA device.
fn cuda<'d>(device: &'d Device, call: &'static str) -> Result<&'d Cuda, Error> {
    cuda_of(device.backend()).ok_or_else(|| Error::Interop {
        call,
        reason: format!(
            "`{}` isn't a device of CUDA's driver, which is all that cudarc knows",
            device.name()
        ),
    })
}
