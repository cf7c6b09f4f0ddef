//! Devices and their primary contexts.

use std::ffi::{c_char, c_int, c_uint};
use std::sync::atomic::Ordering;

use crate::abi::{Out, Text};
use crate::array;
use crate::context::{FLAGS, make};
use crate::error::Error;
use crate::gpu::Gpu;
use crate::locks::lock;
use crate::model::Model;
use crate::process::process;
use crate::registry::Handle;
use crate::texture_descriptor;

impl Gpu {
    fn name(&self) -> String {
        format!("Gridwright Emulated GPU sm_{} (no hardware)", self.model.number())
    }

    fn uuid(&self) -> [u8; 16] {
        let mut uuid = *b"gridwright-emu\0\0";
        uuid[15] = self.ordinal as u8;
        uuid
    }

    fn bus_id(&self) -> String {
        format!("0000:{:02X}:00.0", self.ordinal + 1)
    }
}

/// Attributes, by number, of which the driver's headers have names.
fn attribute(gpu: &Gpu, number: c_int, has_pools: bool) -> Option<i64> {
    let model = &gpu.model;
    let [block_x, block_y, block_z] = Model::BLOCK.map(i64::from);
    let [grid_x, grid_y, grid_z] = Model::GRID.map(i64::from);
    Some(match number {
        1 => Model::THREADS.into(),
        2 => block_x,
        3 => block_y,
        4 => block_z,
        5 => grid_x,
        6 => grid_y,
        7 => grid_z,
        // Shared memory of a block without opting in.
        8 => Model::SHARED.into(),
        9 => Model::CONSTANTS.into(),
        10 => Model::WARP.into(),
        // The most bytes of a pitch.
        11 => i64::from(i32::MAX),
        12 | 82 => Model::REGISTERS.into(),
        // Clocks of multiprocessors and memory, in kHz: nominal ones.
        13 | 36 => 1_000_000,
        14 => array::ALIGNMENT as i64,
        15 => 1,
        16 => Model::MULTIPROCESSORS.into(),
        // No time-out for a display, not integrated, maps host memory, default compute mode.
        17 | 18 => 0,
        19 => 1,
        20 => 0,
        // Sizes of textures, then of surfaces, in one, two and three dimensions and of layers.
        21 => array::LINE.into(),
        22 | 56 => array::PLANE[0].into(),
        23 | 57 => array::PLANE[1].into(),
        24..=26 | 58..=60 => array::VOLUME.into(),
        // Also of lines in layers, of faces, of what is gathered from, and of levels of detail.
        27 | 28 | 42 | 45 | 46 | 52 | 53 | 61 | 63 | 64 | 66 | 67 | 73 | 74 | 77 => array::LAYER.into(),
        29 | 43 | 62 | 65 => array::LAYERS.into(),
        54 | 68 => array::FACES.into(),
        55 => array::WRITABLE_LINE.into(),
        // No other shapes of volumes.
        44 | 47..=49 => 0,
        69 => texture_descriptor::LINEAR_WIDTH.into(),
        70 => texture_descriptor::PITCHED_EXTENT[0].into(),
        71 => texture_descriptor::PITCHED_EXTENT[1].into(),
        72 => texture_descriptor::MOST_PITCH.into(),
        30 => 512,
        // Concurrent kernels; no ECC.
        31 => 1,
        32 => 0,
        // PCI bus, device, domain.
        33 => gpu.ordinal as i64 + 1,
        34 | 50 => 0,
        35 => 0,
        37 => 256,
        38 => 32 << 20,
        39 => model.threads_per_multiprocessor.into(),
        // Copies overlap with kernels, unified addresses.
        40 => 2,
        41 => 1,
        51 => texture_descriptor::PITCH_ALIGNMENT.into(),
        75 => model.major.into(),
        76 => model.minor.into(),
        // Stream priorities, caching of global and local memory.
        78..=80 => 1,
        81 => model.shared_per_multiprocessor.into(),
        // Managed memory.
        83 => 1,
        84 | 86 => 0,
        85 => gpu.ordinal as i64,
        87 => 2,
        // No pageable memory; whether managed memory may be accessed by host and device at once; preemption.
        88 => 0,
        89 => gpu.concurrent_managed_access.into(),
        90 => 1,
        // Registered memory keeps its host address.
        91 => 1,
        // Operations of streams on memory, of all kinds.
        92..=94 | 122 | 123 => 1,
        // Cooperative launches, of one device.
        95 => 1,
        96 => 0,
        97 => model.most_shared().into(),
        98 => 0,
        99 => 1,
        100 | 101 => 0,
        // No management of virtual memory, nor handles of it.
        102..=105 => 0,
        106 => model.blocks_per_multiprocessor.into(),
        107..=110 => 0,
        111 => model.reserved_shared().into(),
        112..=114 => 0,
        // Memory pools.
        115 => has_pools.into(),
        120 => model.has_clusters().into(),
        // Events of other processes.
        125 => 1,
        // What came later: tensor maps, multicast, and others that there are none of.
        116..=119 | 121 | 124 | 126..=148 => 0,
        _ => return None,
    })
}

fn put_bytes<const N: usize>(target: Out<[u8; N]>, bytes: [u8; N]) -> Result<(), Error> {
    target.put(bytes)
}

driver! {
    fn cuDeviceGetCount(count: Out<c_int>) {
        count.put(process()?.gpus.len() as c_int)
    }

    fn cuDeviceGet(device: Out<c_int>, ordinal: c_int) {
        process()?.gpu(ordinal)?;
        device.put(ordinal)
    }

    /// The device's name, which says that there is no hardware.
    fn cuDeviceGetName(name: Out<c_char>, length: c_int, device: c_int) {
        let length = usize::try_from(length).map_err(|_| Error::INVALID_VALUE)?;
        name.put_text(&process()?.gpu(device)?.name(), length)
    }

    fn cuDeviceGetUuid(uuid: Out<[u8; 16]>, device: c_int) {
        put_bytes(uuid, process()?.gpu(device)?.uuid())
    }

    fn cuDeviceGetUuid_v2(uuid: Out<[u8; 16]>, device: c_int) {
        put_bytes(uuid, process()?.gpu(device)?.uuid())
    }

    /// No context can have a part of the multiprocessors.
    fn cuDeviceGetExecAffinitySupport(is_supported: Out<c_int>, _kind: c_int, device: c_int) {
        process()?.gpu(device)?;
        is_supported.put(0)
    }

    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: c_int) {
        bytes.put(process()?.gpu(device)?.memory as usize)
    }

    fn cuDeviceGetAttribute(value: Out<c_int>, number: c_int, device: c_int) {
        let process = process()?;
        let found = attribute(process.gpu(device)?, number, process.settings.pools).ok_or(Error::INVALID_VALUE)?;
        value.put(c_int::try_from(found).unwrap_or(c_int::MAX))
    }

    fn cuDeviceGetProperties(properties: Out<[c_int; 14]>, device: c_int) {
        let process = process()?;
        let gpu = process.gpu(device)?;
        // The order of `CUdevprop`: threads, blocks' and grids' axes, shared memory, constants, a warp, a pitch, registers,
        // the clock, and the alignment of textures.
        let numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
        properties.put(numbers.map(|number| {
            let value = attribute(gpu, number, process.settings.pools).unwrap_or(0);
            c_int::try_from(value).unwrap_or(c_int::MAX)
        }))
    }

    fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: c_int) {
        let model = process()?.gpu(device)?.model;
        major.put(model.major as c_int)?;
        minor.put(model.minor as c_int)
    }

    fn cuDeviceGetPCIBusId(id: Out<c_char>, length: c_int, device: c_int) {
        let length = usize::try_from(length).map_err(|_| Error::INVALID_VALUE)?;
        id.put_text(&process()?.gpu(device)?.bus_id(), length)
    }

    fn cuDeviceGetByPCIBusId(device: Out<c_int>, id: Text) {
        let id = id.get()?;
        let found = process()?.gpus.iter().find(|gpu| gpu.bus_id().eq_ignore_ascii_case(id));
        device.put(found.ok_or(Error::INVALID_DEVICE)?.ordinal as c_int)
    }

    fn cuDevicePrimaryCtxRetain(context: Out<Handle>, device: c_int) {
        let process = process()?;
        let gpu = process.gpu(device)?;
        let mut retained = lock(&gpu.retained);
        let flags = gpu.flags.load(Ordering::Relaxed);
        let primary = *gpu.primary.get_or_init(|| make(gpu.ordinal, true, flags));
        context.put(primary.handle)?;
        if *retained == 0 {
            primary.own.flags.store(flags, Ordering::Relaxed);
            primary.fault.replace(None);
        }
        *retained += 1;
        Ok(())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) {
        let gpu = process()?.gpu(device)?;
        if flags & !FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        gpu.flags.store(flags, Ordering::Relaxed);
        if let Some(primary) = gpu.primary() {
            primary.own.flags.store(flags, Ordering::Relaxed);
        }
        Ok(())
    }

    fn cuDevicePrimaryCtxGetState(device: c_int, flags: Out<c_uint>, active: Out<c_int>) {
        let gpu = process()?.gpu(device)?;
        flags.put(gpu.flags.load(Ordering::Relaxed))?;
        active.put(c_int::from(*lock(&gpu.retained) > 0))
    }
}
