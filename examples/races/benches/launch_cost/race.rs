//! Two launches of one kernel in alternating rounds: ours and the bare one.

use std::ffi::c_void;
use std::hint::black_box;

use anyhow::Context;
use cudarc::driver::{CudaContext, LaunchConfig as Config, PushKernelArg, result};
use cudarc::nvrtc::Ptx;
use gridwright::__private::{ImageKind, Signature};
use gridwright::prelude::*;

use super::times::Times;
use super::{axpy, device};

const N: usize = 1024;
const BLOCK: u32 = 256;
/// Rounds, and launches of each in a round: few enough that the driver's queue doesn't fill, which would be timed instead.
const MEASURED: (usize, usize) = (300, 200);
const QUICK: (usize, usize) = (1, 2);

pub(super) fn run(quick: bool) -> anyhow::Result<()> {
    let (rounds, launches) = if quick { QUICK } else { MEASURED };
    let Some(device) = device::cuda()? else { return Ok(()) };
    // Ours.
    let (stream, other) = (device.stream()?, device.stream()?);
    let kernel = axpy::load(&device)?;
    let x = stream.upload(&[1.0_f32; N])?;
    let mut y = stream.alloc_zeroed::<f32>(N)?;
    let mut z = stream.alloc_zeroed::<f32>(N)?;
    let config = LaunchConfig::threads(N).block(BLOCK as usize);

    // Theirs: the same PTX, the same numbers.
    let image = <axpy as Signature>::IMAGES.images.iter().find(|image| image.kind == ImageKind::Ptx);
    let ptx = String::from_utf8(image.context("no PTX: build with the device toolchain")?.bytes.to_vec())?;
    let context = CudaContext::new(0)?;
    let function = context.load_module(Ptx::from_src(ptx))?.load_function("axpy")?;
    let bare = context.new_stream()?;
    let (bare_x, mut bare_y) = (bare.alloc_zeros::<f32>(N)?, bare.alloc_zeros::<f32>(N)?);
    let (last, len) = (N as u32 - 1, N as u64);
    let sizes = Config { grid_dim: (N as u32 / BLOCK, 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 };
    let addresses = {
        use cudarc::driver::{DevicePtr, DevicePtrMut};
        let (x, _x) = bare_x.device_ptr(&bare);
        let (y, _y) = bare_y.device_ptr_mut(&bare);
        (x, y)
    };
    bare.synchronize()?;

    let [mut ours, mut shared, mut builder, mut slices, mut raw] =
        std::array::from_fn(|_| Times::of_rounds_of(launches));
    for _ in 0..rounds {
        ours.add(|| Ok(kernel.launch(&stream, black_box(config), (2.0, &x, &mut y))?))?;
        stream.synchronize()?;
        // Both streams read `x`, and each writes its own.
        let mut turn = false;
        shared.add(|| {
            turn = !turn;
            let (stream, y) = if turn { (&stream, &mut y) } else { (&other, &mut z) };
            Ok(kernel.launch(stream, black_box(config), (2.0, &x, y))?)
        })?;
        stream.synchronize()?;
        other.synchronize()?;
        builder.add(|| {
            let mut launch = bare.launch_builder(&function);
            launch.arg(&last).arg(&2.0_f32).arg(&addresses.0).arg(&len);
            launch.arg(&addresses.1).arg(&len).arg(&N32);
            // SAFETY: the entry's parameters, of memory as long as is said.
            unsafe { launch.launch(black_box(sizes)) }?;
            Ok(())
        })?;
        bare.synchronize()?;
        slices.add(|| {
            let mut launch = bare.launch_builder(&function);
            launch.arg(&last).arg(&2.0_f32).arg(&bare_x).arg(&len);
            launch.arg(&mut bare_y).arg(&len).arg(&N32);
            // SAFETY: the entry's parameters, of memory as long as is said.
            unsafe { launch.launch(black_box(sizes)) }?;
            Ok(())
        })?;
        bare.synchronize()?;
        let entry = function.cu_function();
        raw.add(|| {
            let (a, n) = (2.0_f32, N32);
            let mut arguments: [*mut c_void; 7] = [
                (&raw const last).cast_mut().cast(),
                (&raw const a).cast_mut().cast(),
                (&raw const addresses.0).cast_mut().cast(),
                (&raw const len).cast_mut().cast(),
                (&raw const addresses.1).cast_mut().cast(),
                (&raw const len).cast_mut().cast(),
                (&raw const n).cast_mut().cast(),
            ];
            // SAFETY: the entry's parameters, of memory as long as is said; the context is this thread's since the last call.
            unsafe {
                result::launch_kernel(
                    entry,
                    sizes.grid_dim,
                    sizes.block_dim,
                    0,
                    bare.cu_stream(),
                    &mut arguments,
                )
            }?;
            Ok(())
        })?;
        bare.synchronize()?;
    }
    let (base, base_median) = raw.summary();
    println!("{:44} {:>9} {:>9} {:>12}", "nanoseconds a launch", "least", "median", "over the raw");
    for (name, times) in [
        ("cuLaunchKernel, as cudarc calls it", &mut raw),
        ("cudarc's builder, addresses", &mut builder),
        ("cudarc's builder, its slices", &mut slices),
        ("Gridwright", &mut ours),
        ("Gridwright, two streams by turns", &mut shared),
    ] {
        let (least, median) = times.summary();
        println!("{name:44} {least:9.1} {median:9.1} {:5.0}, {:5.0}", least - base, median - base_median);
    }
    Ok(())
}

const N32: u32 = N as u32;
