//! What a driver's call returns.

use std::ffi::c_uint;

/// What a call returned: a number, since newer drivers have statuses that nobody here knows. Those that are named here are the
/// same for all vendors, which a test of each compares with its driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Status(pub(in crate::backend::gpu) c_uint);

impl Status {
    pub(crate) const SUCCESS: Self = Self(0);
    pub(crate) const INVALID_VALUE: Self = Self(1);
    pub(crate) const OUT_OF_MEMORY: Self = Self(2);
    pub(crate) const INVALID_IMAGE: Self = Self(200);
    pub(crate) const NO_BINARY: Self = Self(209);
    pub(crate) const PEER_ACCESS_UNSUPPORTED: Self = Self(217);
    pub(crate) const NOT_FOUND: Self = Self(500);
    pub(crate) const NOT_READY: Self = Self(600);
    pub(crate) const OUT_OF_RESOURCES: Self = Self(701);
    pub(crate) const PEER_ACCESS_ALREADY_ENABLED: Self = Self(704);
    pub(crate) const TOO_LARGE: Self = Self(720);
    pub(crate) const NOT_SUPPORTED: Self = Self(801);
}

/// A call's name and status.
pub(crate) type Called = (&'static str, Status);

/// The error of a call, if it failed.
pub(crate) fn done(call: &'static str, status: Status) -> Result<(), Called> {
    if status == Status::SUCCESS { Ok(()) } else { Err((call, status)) }
}
