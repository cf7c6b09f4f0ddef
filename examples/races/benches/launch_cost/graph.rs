//! A replay of a graph of small kernels: against as many launches, and against the driver's own launch of such a graph.

use std::ffi::c_void;

use anyhow::{Context, ensure};
use cudarc::driver::sys;
use cudarc::driver::{CudaContext, DevicePtr, DevicePtrMut};
use cudarc::nvrtc::Ptx;
use gridwright::__private::{ImageKind, Signature};
use gridwright::prelude::*;

use super::axpy;
use super::times::Times;

const KERNELS: usize = 20;
const N: usize = 1024;
const BLOCK: usize = 256;
/// Rounds, and replays in a round: few enough that the driver's queue doesn't fill.
const MEASURED: (usize, usize) = (300, 20);
const QUICK: (usize, usize) = (1, 2);

fn done(status: sys::CUresult) -> anyhow::Result<()> {
    ensure!(status == sys::CUresult::CUDA_SUCCESS, "{status:?}");
    Ok(())
}

pub(super) fn run(quick: bool) -> anyhow::Result<()> {
    let (rounds, replays) = if quick { QUICK } else { MEASURED };
    let Ok(device) = Device::cuda(0) else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = axpy::load(&device)?;
    let config = LaunchConfig::threads(N).block(BLOCK);
    let x = stream.upload(&[1.0_f32; N])?;
    let mut y = stream.alloc_zeroed::<f32>(N)?;
    let mut z = stream.alloc_zeroed::<f32>(N)?;
    let launches = |stream: &Stream, y: &mut _| {
        (0..KERNELS).try_for_each(|_| kernel.launch(stream, config, (2.0, &x, &mut *y)))
    };
    let graph = stream.capture(|stream| launches(stream, &mut z))?;

    // Theirs: the same launches, one after another.
    let image = <axpy as Signature>::IMAGES.images.iter().find(|image| image.kind == ImageKind::Ptx);
    let ptx = String::from_utf8(image.context("no PTX: build with the device toolchain")?.bytes.to_vec())?;
    let context = CudaContext::new(0)?;
    let function = context.load_module(Ptx::from_src(ptx))?.load_function("axpy")?;
    let bare = context.new_stream()?;
    let (bare_x, mut bare_y) = (bare.alloc_zeros::<f32>(N)?, bare.alloc_zeros::<f32>(N)?);
    let addresses = (bare_x.device_ptr(&bare).0, bare_y.device_ptr_mut(&bare).0);
    bare.synchronize()?;
    let (last, a, len, owned) = (N as u32 - 1, 2.0_f32, N as u64, N as u32);
    let mut arguments: [*mut c_void; 7] = [
        (&raw const last).cast_mut().cast(),
        (&raw const a).cast_mut().cast(),
        (&raw const addresses.0).cast_mut().cast(),
        (&raw const len).cast_mut().cast(),
        (&raw const addresses.1).cast_mut().cast(),
        (&raw const len).cast_mut().cast(),
        (&raw const owned).cast_mut().cast(),
    ];
    let parameters = sys::CUDA_KERNEL_NODE_PARAMS {
        func: function.cu_function(),
        gridDimX: (N / BLOCK) as u32,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: BLOCK as u32,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: arguments.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    };
    let (mut theirs, mut exec) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: what the functions ask for: places for results, nodes of the graph, and the entry's parameters, of memory as
    // long as is said.
    unsafe {
        done(sys::cuGraphCreate(&raw mut theirs, 0))?;
        let mut before = Vec::new();
        for _ in 0..KERNELS {
            let mut node = std::ptr::null_mut();
            let (after, count) = (before.as_ptr(), before.len());
            done(sys::cuGraphAddKernelNode_v2(&raw mut node, theirs, after, count, &raw const parameters))?;
            before = vec![node];
        }
        done(sys::cuGraphInstantiateWithFlags(&raw mut exec, theirs, 0))?;
    }

    let [mut launched, mut replayed, mut raw] = std::array::from_fn(|_| Times::of_rounds_of(replays));
    for _ in 0..rounds {
        launched.add(|| Ok(launches(&stream, &mut y)?))?;
        stream.synchronize()?;
        replayed.add(|| Ok(graph.launch(&stream)?))?;
        stream.synchronize()?;
        // SAFETY: a graph and a stream.
        raw.add(|| done(unsafe { sys::cuGraphLaunch(exec, bare.cu_stream()) }))?;
        bare.synchronize()?;
    }
    // SAFETY: made above, and nothing of it runs.
    unsafe {
        done(sys::cuGraphExecDestroy(exec))?;
        done(sys::cuGraphDestroy(theirs))?;
    }
    let (launched, replayed, raw) = (launched.summary(), replayed.summary(), raw.summary());
    println!();
    println!("{:44} {:>9} {:>9}", format!("microseconds for {KERNELS} kernels"), "least", "median");
    for (name, (least, median)) in
        [("Gridwright, launches", launched), ("Gridwright, a replay", replayed), ("cuGraphLaunch", raw)]
    {
        println!("{name:44} {:9.3} {:9.3}", least * 1e-3, median * 1e-3);
    }
    let over = |(least, median): (f64, f64)| (replayed.0 / least, replayed.1 / median);
    for (name, (least, median)) in [
        ("the replay, times the launches", over(launched)),
        // Where the driver runs nothing this is of next to nothing: there the difference counts.
        ("the replay, times cuGraphLaunch", over(raw)),
    ] {
        println!("{name:44} {least:9.3} {median:9.3}");
    }
    Ok(())
}
