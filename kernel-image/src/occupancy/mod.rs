//! How many workgroups of a kernel a processor runs at the same time, from what the kernel takes. No device is asked, so that
//! it can be counted for architectures that aren't at hand; of a device that is there, its driver knows better.
//!
//! A processor is what a workgroup's threads share: a streaming multiprocessor of NVIDIA's, a compute unit of AMD's or, from
//! `gfx10` on, two of them (a workgroup processor).

mod amd;
mod nvidia;
#[cfg(test)]
mod tests;

use std::fmt;

/// What a processor of an architecture has to share out among workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Threads of a warp or a wave.
    pub warp: u32,
    /// The processor's vector units. Each has its own warps and registers.
    pub units: u32,
    /// The most warps of a unit.
    pub warps_of_unit: u32,
    /// Registers of 32 bits that a unit has for each lane.
    pub registers_of_unit: u32,
    /// A thread gets registers in multiples of this.
    pub register_granule: u32,
    /// Scalar registers of a unit, where they limit anything.
    pub scalar_registers_of_unit: Option<u32>,
    /// The most workgroups of the processor.
    pub groups: u32,
    /// The most workgroups of more than one warp: each takes a barrier.
    pub groups_with_barrier: u32,
    /// Bytes of workgroup memory of the processor.
    pub memory: u32,
    /// A workgroup gets memory in multiples of so many bytes.
    pub memory_granule: u32,
    /// Bytes that the system takes of each workgroup's memory.
    pub memory_reserved: u32,
}

/// What a kernel takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Threads of a workgroup.
    pub threads: u32,
    /// Registers of 32 bits of a thread; vector registers, where there are others.
    pub registers: u32,
    /// Scalar registers of a warp.
    pub scalar_registers: u32,
    /// Bytes of workgroup memory of a group.
    pub workgroup_bytes: u32,
}

/// How many workgroups a processor runs at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of workgroups; none where not even one fits.
    pub groups: u32,
    /// Warps of the workgroups.
    pub warps: u32,
    /// The most warps that the processor runs.
    pub most_warps: u32,
    /// What there would have to be more of for more workgroups.
    pub limit: Limit,
}

/// What limits the number of workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The processor's warps.
    Warps,
    /// The processor's workgroups, or their barriers.
    Groups,
    /// Registers of the threads.
    Registers,
    /// Scalar registers.
    ScalarRegisters,
    /// Workgroup memory.
    WorkgroupMemory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warps => "warps",
            Self::Groups => "workgroups",
            Self::Registers => "registers",
            Self::ScalarRegisters => "scalar registers",
            Self::WorkgroupMemory => "workgroup memory",
        })
    }
}

impl Processor {
    /// The processor of an architecture, by the name that images have: `sm_90`, `gfx1100`. Of a generic architecture of AMD's it is the
    /// smallest of those that it is for. `None` for one whose limits aren't known here.
    ///
    /// ```
    /// use gridwright_image::occupancy::Processor;
    ///
    /// assert_eq!(Processor::of("sm_90a").map(|processor| processor.most_warps()), Some(64));
    /// assert_eq!(Processor::of("gfx942").map(|processor| processor.warp), Some(64));
    /// assert!(Processor::of("sm_999").is_none());
    /// ```
    pub fn of(architecture: &str) -> Option<Self> {
        nvidia::processor(architecture).or_else(|| amd::processor(architecture))
    }

    /// The most warps that the processor runs at the same time.
    ///
    /// ```
    /// use gridwright_image::occupancy::Processor;
    ///
    /// assert_eq!(Processor::of("sm_86").unwrap().most_warps(), 48);
    /// ```
    pub fn most_warps(&self) -> u32 {
        self.units.saturating_mul(self.warps_of_unit)
    }

    /// How many workgroups fit, and what keeps out the next one.
    ///
    /// ```
    /// use gridwright_image::occupancy::{Limit, Processor, Usage};
    ///
    /// let usage = Usage { threads: 256, registers: 64, ..Usage::default() };
    /// let occupancy = Processor::of("sm_80").unwrap().occupancy(&usage);
    /// assert_eq!((occupancy.groups, occupancy.limit), (4, Limit::Registers));
    /// assert_eq!(occupancy.fraction(), 0.5);
    /// ```
    pub fn occupancy(&self, usage: &Usage) -> Occupancy {
        let warps = usage.threads.div_ceil(self.warp.max(1)).max(1);
        let granule = self.register_granule.max(1);
        // Past the end of the numbers is past what there is.
        let registers = usage.registers.max(1).checked_next_multiple_of(granule).unwrap_or(u32::MAX);
        let by_registers = self.units.saturating_mul(self.registers_of_unit / registers) / warps;
        let by_scalar_registers = match self.scalar_registers_of_unit {
            Some(has) => self.units.saturating_mul(has / usage.scalar_registers.max(1)) / warps,
            None => u32::MAX,
        };
        let bytes = usage.workgroup_bytes.saturating_add(self.memory_reserved);
        let by_memory = match bytes.checked_next_multiple_of(self.memory_granule.max(1)) {
            Some(0) => u32::MAX,
            Some(bytes) => self.memory / bytes,
            None => 0,
        };
        let by_groups = if warps > 1 { self.groups.min(self.groups_with_barrier) } else { self.groups };
        let limits = [
            (self.most_warps() / warps, Limit::Warps),
            (by_groups, Limit::Groups),
            (by_registers, Limit::Registers),
            (by_scalar_registers, Limit::ScalarRegisters),
            (by_memory, Limit::WorkgroupMemory),
        ];
        // Of equal ones it is the first that is named: more registers don't help where there are no more warps.
        let (groups, limit) =
            limits.into_iter().min_by_key(|&(groups, _)| groups).unwrap_or((0, Limit::Warps));
        Occupancy { groups, warps: groups.saturating_mul(warps), most_warps: self.most_warps(), limit }
    }
}

impl Occupancy {
    /// The part of the processor's warps that run, between 0 and 1.
    ///
    /// ```
    /// use gridwright_image::occupancy::{Processor, Usage};
    ///
    /// let usage = Usage { threads: 256, registers: 32, ..Usage::default() };
    /// assert_eq!(Processor::of("sm_80").unwrap().occupancy(&usage).fraction(), 1.0);
    /// ```
    pub fn fraction(&self) -> f64 {
        f64::from(self.warps) / f64::from(self.most_warps.max(1))
    }
}
