//! Kernels that nvcc compiled, through the same launches as ours.

use gridwright::Error;
use gridwright::prelude::*;

use super::setting::{Result, device};

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Pair {
    a: f32,
    b: u32,
    c: f64,
}

#[foreign_kernels(
    "../kernel-image/src/fixtures/two.sm_80.cubin",
    "../kernel-image/src/fixtures/two.sm_100.cubin",
    "../kernel-image/src/fixtures/two.ptx"
)]
unsafe extern "C" {
    /// # Safety
    /// `x` and `y` have `n` elements.
    fn saxpy(n: u32, a: f32, x: *const f32, y: *mut f32);

    /// # Safety
    /// `tile` and `y` have an element for each thread of the one workgroup.
    #[link_name = "_Z7mangled4PairhPf"]
    fn mangled(p: Pair, c: u8, y: *mut f32, tile: Workgroup<[f32]>);
}

/// A kernel without PTX, for an architecture that no device has at the same time as the others'.
#[foreign_kernels("../kernel-image/src/fixtures/two.sm_100.cubin")]
unsafe extern "C" {
    #[link_name = "saxpy"]
    fn for_sm_100_only(n: u32, a: f32, x: *const f32, y: *mut f32);
}

#[test]
fn values_and_buffers_reach_a_foreign_kernel() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let n = 1000_u32;
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let from = stream.upload(&x)?;
    let mut to = stream.upload(&vec![1.0_f32; x.len()])?;
    let kernel = saxpy::load(&device)?;
    // SAFETY: there are as many elements.
    unsafe { kernel.launch(&stream, LaunchConfig::threads(x.len()), (n, 2.0, &from, &mut to))? };
    let expected: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
    assert_eq!(stream.download(&to)?, expected);
    Ok(())
}

#[test]
fn structs_and_workgroup_memory_reach_a_foreign_kernel() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut y = stream.alloc_zeroed::<f32>(65)?;
    let kernel = mangled::load(&device)?;
    let pair = Pair { a: 2.5, b: 0, c: 0.0 };
    let config = LaunchConfig::grid(1, 64).workgroup::<f32>(64);
    // SAFETY: a group of 64, for each of whose threads there is room.
    unsafe { kernel.launch(&stream, config, (pair, 3, &mut y))? };
    assert_eq!(stream.download(&y)?, [&[5.5; 64][..], &[0.0]].concat());
    Ok(())
}

#[test]
fn too_much_memory_and_too_many_threads_are_refused_as_for_ours() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut y = stream.alloc_zeroed::<f32>(128)?;
    let kernel = mangled::load(&device)?;
    let pair = Pair { a: 2.5, b: 0, c: 0.0 };
    let config = LaunchConfig::grid(1, 64).workgroup::<f32>(1 << 20);
    // SAFETY: it isn't launched.
    let refused = unsafe { kernel.launch(&stream, config, (pair, 3, &mut y)) };
    assert!(matches!(refused, Err(Error::WorkgroupMemory { kernel: "mangled", .. })), "{refused:?}");
    let config = LaunchConfig::grid(1, 1 << 20).workgroup::<f32>(64);
    // SAFETY: it isn't launched.
    let refused = unsafe { kernel.launch(&stream, config, (pair, 3, &mut y)) };
    assert!(matches!(refused, Err(Error::InvalidConfig { kernel: "mangled", .. })), "{refused:?}");
    assert_eq!(stream.download(&y)?, [0.0; 128]);
    Ok(())
}

#[test]
fn where_no_image_runs_the_images_are_named() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let error = match for_sm_100_only::load(&device) {
        // There such a device is at hand.
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let said = error.to_string();
    assert!(matches!(error, Error::ImageMissing { kernel: "for_sm_100_only", .. }), "{said}");
    assert!(said.contains("sm_100 (a cubin)") && said.contains("`foreign_kernels`"), "{said}");
    let said = saxpy::load(&Device::cpu()?).expect_err("there is no code for the CPU").to_string();
    assert!(said.contains("kernel `saxpy` can't run on") && said.contains("compiled elsewhere"), "{said}");
    Ok(())
}
