//! Devices: what is counted and kept of each.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::Model;
use crate::settings::Settings;
use crate::shared::pool::OfDevice;
use crate::vendor::{Context, make};

/// An emulated device.
pub(crate) struct Gpu {
    pub(crate) ordinal: usize,
    /// Bytes.
    pub(crate) memory: u64,
    /// Bytes that are allocated.
    pub(crate) used: AtomicU64,
    pub(crate) model: Model,
    pub(crate) concurrent_managed_access: bool,
    pub(crate) has_pools: bool,
    pub(crate) context: &'static Context,
    pub(crate) pools: OfDevice,
}

impl Gpu {
    pub(crate) fn new(ordinal: usize, settings: &Settings) -> Self {
        Self {
            ordinal,
            memory: settings.memory,
            used: AtomicU64::new(0),
            model: settings.model,
            concurrent_managed_access: settings.concurrent_managed_access,
            has_pools: settings.pools,
            context: make(ordinal),
            pools: OfDevice::new(ordinal),
        }
    }

    /// Bytes that aren't given.
    pub(crate) fn free(&self) -> u64 {
        self.memory - self.used.load(Ordering::Relaxed)
    }
}
