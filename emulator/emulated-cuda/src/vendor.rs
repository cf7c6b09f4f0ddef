//! What only CUDA has of a context and of a stream.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU32};

use crate::shared;

/// CUDA's driver API.
#[derive(Clone, Copy)]
pub(crate) struct Cuda;

pub(crate) type Context = shared::context::Context<Cuda>;

/// What only CUDA's contexts have.
pub(crate) struct OfContext {
    pub(crate) id: u64,
    pub(crate) is_primary: bool,
    pub(crate) flags: AtomicU32,
    pub(crate) limits: Mutex<BTreeMap<c_int, usize>>,
    pub(crate) cache_config: AtomicI32,
    /// Of the banks of shared memory, as programs prefer it.
    pub(crate) bank_size: AtomicI32,
    /// How often it was created or attached to.
    pub(crate) uses: AtomicU32,
}

/// `CUstreamAttrValue`, as words.
pub(crate) type StreamAttribute = [u32; 16];

/// What only CUDA's streams have: the attributes that were set.
#[derive(Default)]
pub(crate) struct OfStream(pub(crate) Mutex<BTreeMap<c_int, StreamAttribute>>);
