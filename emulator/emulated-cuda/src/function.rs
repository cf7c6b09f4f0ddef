//! Kernels of modules, and what is known of them.

use std::ffi::{CString, c_int};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use gridwright_emulator::{Entry, Loaded, Registers};

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::occupancy::PARTS;
use crate::process::{Process, process};
use crate::registry::{Handle, Registry};

pub(crate) static FUNCTIONS: Registry<Function> = Registry::new(7);

pub(crate) struct Function {
    pub(crate) context: &'static Context,
    pub(crate) module: Handle,
    pub(crate) loaded: Loaded,
    pub(crate) name: CString,
    /// Offset and size of each, in bytes.
    pub(crate) parameters: Box<[(usize, usize)]>,
    /// Of all parameters.
    pub(crate) parameter_bytes: usize,
    pub(crate) required_block: Option<[u32; 3]>,
    /// Of a block.
    pub(crate) most_threads: u32,
    /// Bytes of shared memory that the kernel declares.
    pub(crate) static_shared: u32,
    local_bytes: u32,
    /// Of the constants that it names.
    constant_bytes: u32,
    /// An estimate, of a thread.
    pub(crate) registers: u32,
    ptx_version: c_int,
    binary_version: c_int,
    /// The most that a launch may have: more than 48 KiB with the static part only where it was asked for.
    pub(crate) most_dynamic: AtomicI32,
    carveout: AtomicI32,
    /// Whether clusters may have more blocks than every device with clusters can run.
    allows_large_clusters: AtomicBool,
}

impl Function {
    pub(crate) fn new(
        process: &Process,
        context: &'static Context,
        module: Handle,
        loaded: &Loaded,
        entry: &Entry,
        name: CString,
        most_registers: Option<u32>,
    ) -> Self {
        let model = &process.gpus[context.device].model;
        let declared = entry.required_block().or(entry.max_block());
        let most_threads = declared
            .map_or(Model::THREADS, |block| {
                block.iter().fold(1_u32, |product, size| product.saturating_mul(*size))
            })
            .min(Model::THREADS);
        let (major, minor) = loaded.module().version();
        Self {
            context,
            module,
            loaded: loaded.clone(),
            name,
            parameters: entry
                .parameters()
                .iter()
                .map(|parameter| (parameter.offset, parameter.size))
                .collect(),
            parameter_bytes: entry.parameter_bytes(),
            required_block: entry.required_block(),
            most_threads,
            static_shared: entry.shared_bytes(),
            local_bytes: entry.local_bytes(),
            constant_bytes: entry.constant_bytes(),
            registers: process
                .settings
                .registers
                .unwrap_or_else(|| estimate(entry.registers(), most_threads, most_registers)),
            ptx_version: (major * 10 + minor) as c_int,
            binary_version: model.number() as c_int,
            most_dynamic: AtomicI32::new(Model::SHARED.saturating_sub(entry.shared_bytes()) as c_int),
            carveout: AtomicI32::new(-1),
            allows_large_clusters: AtomicBool::new(false),
        }
    }

    /// The most blocks that a cluster of it may have, where there is room for them.
    pub(crate) fn most_of_cluster(&self) -> u32 {
        let is_large = self.allows_large_clusters.load(Ordering::Relaxed);
        if is_large { Model::LARGEST_CLUSTER } else { Model::CLUSTER }
    }

    pub(crate) fn name(&self) -> &str {
        // It was made of a `str`.
        self.name.to_str().unwrap_or_default()
    }
}

/// Registers of a thread: what an assembler would need isn't known. PTX has one for each value, of which a quarter lives at a
/// time, say; and never so many that the largest block doesn't fit.
fn estimate(declared: Registers, most_threads: u32, limit: Option<u32>) -> u32 {
    let words = declared.b32.saturating_add(declared.b64.saturating_mul(2)).saturating_add(declared.b16 / 2);
    let warps_of_part = most_threads.max(1).div_ceil(Model::WARP).div_ceil(PARTS);
    let most = (Model::REGISTERS / PARTS / (warps_of_part * Model::WARP)).min(255) & !7;
    let wanted = (words / 4).clamp(16, most.max(16)).next_multiple_of(8).min(most.max(16));
    limit.map_or(wanted, |limit| wanted.min(limit.max(16)))
}

impl Function {
    /// One of its numbers, most of which never change. Registers are an estimate.
    pub(crate) fn attribute(&self, attribute: c_int) -> Result<c_int, Error> {
        Ok(match attribute {
            0 => self.most_threads as c_int,
            1 => self.static_shared as c_int,
            2 => self.constant_bytes as c_int,
            3 => self.local_bytes as c_int,
            4 => self.registers as c_int,
            5 => self.ptx_version,
            6 => self.binary_version,
            7 => 0,
            8 => self.most_dynamic.load(Ordering::Relaxed),
            9 => self.carveout.load(Ordering::Relaxed),
            14 => self.allows_large_clusters.load(Ordering::Relaxed).into(),
            // Clusters that the kernel declares.
            10..=13 | 15 => 0,
            _ => return Err(Error::INVALID_VALUE),
        })
    }

    pub(crate) fn set_attribute(&self, attribute: c_int, value: c_int) -> Result<(), Error> {
        match attribute {
            8 => {
                let most = process()?.gpus[self.context.device].model.most_shared();
                let asked = u32::try_from(value).map_err(|_| Error::INVALID_VALUE)?;
                if self.static_shared.saturating_add(asked) > most {
                    return Err(Error::INVALID_VALUE);
                }
                self.most_dynamic.store(value, Ordering::Relaxed);
            }
            9 if (-1..=100).contains(&value) => self.carveout.store(value, Ordering::Relaxed),
            14 if (0..=1).contains(&value) => self.allows_large_clusters.store(value == 1, Ordering::Relaxed),
            10..=13 | 15 => return Err(Error::NOT_SUPPORTED),
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(())
    }

    /// Where a parameter lies, and its size.
    pub(crate) fn parameter(&self, index: usize) -> Result<(usize, usize), Error> {
        self.parameters.get(index).copied().ok_or(Error::INVALID_VALUE)
    }
}

#[cfg(test)]
mod tests {
    use gridwright_emulator::Registers;

    use super::estimate;
    use crate::occupancy::has_registers;

    #[test]
    fn the_largest_block_always_fits() {
        let many = Registers { predicates: 9, b16: 9, b32: 4000, b64: 4000 };
        assert_eq!(estimate(many, 1024, None), 64);
        assert_eq!(estimate(many, 256, None), 248);
        assert_eq!(estimate(many, 256, Some(32)), 32);
        assert_eq!(estimate(Registers::default(), 1024, None), 16);
        assert!((1..=1024).all(|threads| has_registers(estimate(many, threads, None), threads)));
    }
}
