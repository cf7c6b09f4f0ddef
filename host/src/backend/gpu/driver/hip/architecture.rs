//! What a device's architecture is called: `gfx1100`, or `gfx942:sramecc+:xnack-` with settings. Images are chosen by it.
//!
//! The runtime tells it in a struct of a device's properties only, which has another layout before HIP 6. Releases since then
//! have a function for each layout that there was, by which it is found. Nothing else of the struct is looked at, and what lies at
//! the name's place has to be one.

use std::ffi::{c_int, c_void};

use super::api::Own;
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::api::Call;
use crate::backend::gpu::driver::handles::DeviceHandle;
use crate::backend::gpu::driver::status::{Called, done};

/// Place of `gcnArchName` in the properties of HIP 6 and 7, `hipDeviceProp_tR0600`, and in those before.
const PLACE: usize = 1160;
const PLACE_BEFORE_6: usize = 396;

/// Bytes of the name, the zero behind it included.
const LEN: usize = 256;

/// Bytes for the properties, more than any release's struct has: the largest known have 1472 bytes.
const ROOM: usize = 16 * 1024;

/// Why a device's architecture isn't known.
#[derive(Debug)]
pub(super) enum Unknown {
    Failed(Called),
    /// What lies at the name's place isn't one.
    NoName(&'static str),
    /// Neither function is there.
    NoFunction,
}

/// The architecture's name.
pub(super) fn of(own: &Own, device: DeviceHandle) -> Result<String, Unknown> {
    match own.properties.map(|ask| read(ask, PLACE, device)) {
        // A library may have the function for another's sake.
        None | Some(Err(Unknown::Failed((_, Status::NOT_SUPPORTED)))) => {
            own.properties_before_6.map_or(Err(Unknown::NoFunction), |ask| read(ask, PLACE_BEFORE_6, device))
        }
        Some(name) => name,
    }
}

type Properties = Call<unsafe extern "C" fn(*mut c_void, c_int) -> Status>;

/// The name at its place in the properties that a function gives.
fn read(ask: Properties, place: usize, device: DeviceHandle) -> Result<String, Unknown> {
    // Aligned as any struct is.
    let mut properties = vec![0_u64; ROOM / size_of::<u64>()];
    // SAFETY: room for the struct of each release.
    let status = unsafe { (ask.call)(properties.as_mut_ptr().cast::<c_void>(), device) };
    done(ask.name, status).map_err(Unknown::Failed)?;
    let bytes: &[u8] = bytemuck::cast_slice(&properties);
    bytes.get(place..place + LEN).and_then(name).ok_or(Unknown::NoName(ask.name))
}

/// The name that bytes begin with, up to a zero.
fn name(bytes: &[u8]) -> Option<String> {
    let name = bytes.split(|&byte| byte == 0).next().filter(|name| name.len() < bytes.len())?;
    let name = std::str::from_utf8(name).ok()?;
    let (architecture, settings) = name.split_once(':').unwrap_or((name, ""));
    let number = architecture.strip_prefix("gfx")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let are_settings =
        settings.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'+' | b'-'));
    (is_number && are_settings).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_of_architectures_are_taken_and_nothing_else() {
        assert_eq!(name(b"gfx1100\0\0\0").as_deref(), Some("gfx1100"));
        assert_eq!(name(b"gfx942:sramecc+:xnack-\0x").as_deref(), Some("gfx942:sramecc+:xnack-"));
        assert_eq!(name(b"gfx90a\0").as_deref(), Some("gfx90a"));
        for other in
            [&b"\0\0\0"[..], b"gfx\0", b"Radeon\0", b"gfx1100", b"gfx 11\0", b"gfx11\xff\0", b"\x01gfx90a\0"]
        {
            assert_eq!(name(other), None, "{other:?}");
        }
    }
}
