//! Devices: what is counted and kept of each.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::locks::lock;
use crate::model::Model;
use crate::settings::Settings;
use crate::shared::pool::{OfDevice, Watermark};
use crate::vendor::Context;

/// An emulated device.
pub(crate) struct Gpu {
    pub(crate) ordinal: usize,
    /// Bytes.
    pub(crate) memory: u64,
    /// Bytes that are allocated.
    pub(crate) used: AtomicU64,
    pub(crate) model: Model,
    pub(crate) concurrent_managed_access: bool,
    /// Its primary context, if it was ever retained.
    pub(crate) primary: OnceLock<&'static Context>,
    pub(crate) flags: AtomicU32,
    /// How often the primary context was retained.
    pub(crate) retained: Mutex<u32>,
    pub(crate) pools: OfDevice,
    pub(crate) graph_counts: GraphCounts,
}

impl Gpu {
    pub(crate) fn new(ordinal: usize, settings: &Settings) -> Self {
        Self {
            ordinal,
            memory: settings.memory,
            used: AtomicU64::new(0),
            model: settings.model,
            concurrent_managed_access: settings.concurrent_managed_access,
            primary: OnceLock::new(),
            flags: AtomicU32::new(0),
            retained: Mutex::new(0),
            pools: OfDevice::new(ordinal),
            graph_counts: GraphCounts::default(),
        }
    }

    /// Bytes that aren't given.
    pub(crate) fn free(&self) -> u64 {
        self.memory - self.used.load(Ordering::Relaxed)
    }

    /// None where it was never retained.
    pub(crate) fn primary(&self) -> Option<&'static Context> {
        self.primary.get().copied()
    }
}

/// What graphs have of a device's memory.
#[derive(Default)]
pub(crate) struct GraphCounts {
    pub(crate) used: Watermark,
    pub(crate) reserved: Watermark,
    /// Held while they change.
    changing: Mutex<()>,
}

impl GraphCounts {
    pub(crate) fn change(&self, used: i64, reserved: i64) {
        let _changing = lock(&self.changing);
        self.used.set(self.used.get().saturating_add_signed(used));
        self.reserved.set(self.reserved.get().saturating_add_signed(reserved));
    }
}
