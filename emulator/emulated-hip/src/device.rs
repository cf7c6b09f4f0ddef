//! Devices and what they say of themselves.

use std::ffi::{c_char, c_int};

use crate::abi::Out;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::model::Model;
use crate::process::process;

impl Gpu {
    pub(crate) fn name(&self) -> String {
        format!("Gridwright Emulated GPU {} (no hardware)", self.model.name)
    }

    pub(crate) fn uuid(&self) -> [u8; 16] {
        let mut uuid = *b"gridwright-emu\0\0";
        uuid[15] = self.ordinal as u8;
        uuid
    }

    fn bus_id(&self) -> String {
        format!("0000:{:02x}:00.0", self.ordinal + 1)
    }

    /// An attribute, by number, of which `hip_runtime_api.h` has names.
    pub(crate) fn attribute(&self, number: c_int) -> Option<i64> {
        let model = &self.model;
        let [block_x, block_y, block_z] = Model::BLOCK.map(i64::from);
        let [grid_x, grid_y, grid_z] = Model::GRID.map(i64::from);
        Some(match number {
            // No ECC, no window, one engine for copies, maps host memory, not the program's own.
            0 | 1 => 0,
            2 | 3 => 1,
            4 => 0,
            // Clocks of multiprocessors and memory, in kHz: nominal ones.
            5 | 60 => 1_000_000,
            // Default compute mode, no preemption, concurrent kernels.
            6 | 7 => 0,
            8 => 1,
            9 => self.concurrent_managed_access.into(),
            // Cooperative launches, of one device. Copies overlap with kernels.
            10 => 1,
            11 => 0,
            12 => 1,
            // Managed memory can't be used by the host as it lies, nor are there shared atomics, nor is the device integrated.
            13..=18 | 20..=22 => 0,
            19 => 4 << 20,
            23 => model.major.into(),
            24 => 1,
            25 => (model.waves * model.units).into(),
            26 | 55 => block_x,
            27 => block_y,
            28 => block_z,
            29 => grid_x,
            30 => grid_y,
            31 => grid_z,
            // Sizes of textures and surfaces, which there are none of.
            32..=54 => 0,
            56 => Model::THREADS.into(),
            57 => model.threads_per_multiprocessor().into(),
            // The most bytes of a pitch.
            58 => i64::from(i32::MAX),
            59 => 256,
            61 => model.minor.into(),
            62 | 64..=66 | 68..=70 | 73 | 77 | 80 | 86 => 0,
            63 => Model::MULTIPROCESSORS.into(),
            67 => self.ordinal as i64 + 1,
            71 | 72 => Model::REGISTERS.into(),
            74..=76 | 10_002 => Model::SHARED.into(),
            78 => 1,
            79 | 81 | 82 => 256,
            83 => Model::CONSTANTS.into(),
            // It doesn't fit a number of 32 bits.
            84 => self.memory.min(i32::MAX as u64) as i64,
            85 => 1,
            87 => model.wave.into(),
            88 => self.has_pools.into(),
            // No virtual memory, registered host memory, or handles of pools.
            89..=91 => 0,
            // Clocks that kernels read, in kHz.
            10_000 | 10_017 => 100_000,
            10_001 | 10_003..=10_014 | 10_016 => 0,
            10_015 => Model::MULTIPROCESSORS.into(),
            _ => return None,
        })
    }
}

hip! {
    fn hipGetDeviceCount(count: Out<c_int>) {
        let devices = process()?.gpus.len();
        count.put(devices as c_int)?;
        if devices == 0 { Err(Error::NO_DEVICE) } else { Ok(()) }
    }

    fn hipDeviceGet(device: Out<c_int>, ordinal: c_int) {
        device.put(process()?.gpu(ordinal)?.ordinal as c_int)
    }

    fn hipDeviceGetName(name: Out<c_char>, length: c_int, device: c_int) {
        let length = usize::try_from(length).map_err(|_| Error::INVALID_VALUE)?;
        name.put_text(&process()?.gpu(device)?.name(), length)
    }

    fn hipDeviceGetUuid(uuid: Out<[u8; 16]>, device: c_int) {
        uuid.put(process()?.gpu(device)?.uuid())
    }

    fn hipDeviceTotalMem(bytes: Out<usize>, device: c_int) {
        bytes.put(process()?.gpu(device)?.memory as usize)
    }

    fn hipDeviceGetPCIBusId(id: Out<c_char>, length: c_int, device: c_int) {
        let length = usize::try_from(length).map_err(|_| Error::INVALID_VALUE)?;
        id.put_text(&process()?.gpu(device)?.bus_id(), length)
    }

    fn hipDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: c_int) {
        let model = process()?.gpu(device)?.model;
        major.put(model.major)?;
        minor.put(model.minor)
    }

    fn hipDeviceGetAttribute(value: Out<c_int>, attribute: c_int, device: c_int) {
        let number = process()?.gpu(device)?.attribute(attribute).ok_or(Error::INVALID_VALUE)?;
        value.put(c_int::try_from(number).map_err(|_| Error::INVALID_VALUE)?)
    }
}
