//! The device, and how much of a test is for it.

use gridwright::prelude::*;

#[host_only]
pub(crate) type Result<T = ()> = std::result::Result<T, gridwright::Error>;

/// The device to test.
#[host_only]
pub(crate) fn device() -> Result<Device> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        None => Device::cpu(),
        Some(_) => Device::from_env(),
    }
}

/// The device to test, with a stream.
#[host_only]
pub(crate) fn open() -> Result<(Device, Stream)> {
    let device = device()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

#[host_only]
pub(crate) fn is_cpu(device: &Device) -> bool {
    device.kind() == gridwright::DeviceKind::Cpu
}

/// Whether a thread may end while others of its warp go on. Where the emulated driver's findings are errors it loses its device, since the
/// others name a lane that ended.
#[host_only]
pub(crate) fn threads_may_end(device: &Device) -> bool {
    let findings_are_errors = std::env::var_os("GRIDWRIGHT_EMULATOR_CHECKS").is_some_and(|is| is == "error");
    device.kind() != gridwright::DeviceKind::Cuda || !findings_are_errors
}

/// Whether a panic's message is the one that is expected. A GPU leaves values out, and says so.
#[host_only]
pub(crate) fn says(device: &Device, message: &str, expected: &str) -> bool {
    if is_cpu(device) || !expected.contains(|c: char| c.is_ascii_digit()) {
        return message == expected;
    }
    let Some(message) = message.strip_suffix(" (a GPU leaves values out)") else { return false };
    let mut pieces = message.split('…');
    let mut rest = pieces.next().and_then(|first| expected.strip_prefix(first));
    for piece in pieces {
        rest = rest.and_then(|rest| rest.split_once(piece)).map(|(_, rest)| rest);
    }
    rest.is_some()
}

/// What a test goes through: an emulated GPU is thousands of times slower than one, and has `few` of `all`.
#[host_only]
pub(crate) fn sizes<'s, T>(device: &Device, all: &'s [T], few: &'s [T]) -> &'s [T] {
    if device.name().to_lowercase().contains("emulated") { few } else { all }
}

/// The threads of a full warp.
#[gpu_kernel(block = 1)]
fn full_warp(g: &Group, mut out: PerGroup<[u32]>) {
    out.set(g, g.warp_size() as u32);
}

/// How many threads a full warp has on this device.
#[host_only]
pub(crate) fn warp_size(device: &Device) -> Result<usize> {
    let stream = device.stream()?;
    let mut out = stream.alloc_zeroed::<u32>(1)?;
    full_warp::load(device)?.launch(&stream, LaunchConfig::grid(1, 1), (&mut out,))?;
    Ok(stream.download(&out)?[0] as usize)
}

/// Numbers without an order, of which none is zero.
#[host_only]
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009 + 1).collect()
}
