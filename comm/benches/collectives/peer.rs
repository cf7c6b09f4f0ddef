//! The calls in C, on the MPI that this process has started.

use std::ffi::{c_char, c_int};
use std::path::Path;

use anyhow::{Context, ensure};
use libloading::Library;

/// `MPI_MAX_LIBRARY_VERSION_STRING` of Open MPI.
const LONGEST_TEXT: usize = 256;

type AllReduce = unsafe extern "C" fn(*const f32, *mut f32, c_int, c_int) -> c_int;
type PingPong = unsafe extern "C" fn(*const f32, *mut f32, c_int, c_int, c_int, c_int) -> c_int;
type Call = unsafe extern "C" fn() -> c_int;

/// `peer.c`.
pub(crate) struct Peer {
    library: Library,
    all_reduce: AllReduce,
    ping_pong: PingPong,
}

impl Peer {
    /// Loads the library. Its calls of MPI are those of the library that the world has loaded.
    pub(crate) fn load(path: &Path) -> anyhow::Result<Self> {
        // SAFETY: `peer.c` has no initialisers.
        let library = unsafe { Library::new(path) };
        let library = library.with_context(|| format!("can't load {}", path.display()))?;
        // SAFETY: the types that `peer.c` gives them.
        let (start, all_reduce, ping_pong) = unsafe {
            (
                *library.get::<Call>(b"start")?,
                *library.get::<AllReduce>(b"all_reduce")?,
                *library.get(b"ping_pong")?,
            )
        };
        // SAFETY: MPI is started, and all ranks call it here.
        check(unsafe { start() })?;
        Ok(Self { library, all_reduce, ping_pong })
    }

    pub(crate) fn all_reduce(&self, x: &[f32], y: &mut [f32], calls: usize) -> anyhow::Result<()> {
        let len = x.len().min(y.len()) as c_int;
        // SAFETY: so many elements, and no other use of them meanwhile.
        check(unsafe { (self.all_reduce)(x.as_ptr(), y.as_mut_ptr(), len, calls as c_int) })
    }

    pub(crate) fn ping_pong(
        &self,
        x: &[f32],
        y: &mut [f32],
        other: usize,
        is_first: bool,
        calls: usize,
    ) -> anyhow::Result<()> {
        let len = x.len().min(y.len()) as c_int;
        let (is_first, other, calls) = (c_int::from(is_first), other as c_int, calls as c_int);
        // SAFETY: so many elements, and no other use of them meanwhile.
        check(unsafe { (self.ping_pong)(x.as_ptr(), y.as_mut_ptr(), len, other, is_first, calls) })
    }

    /// What the library calls itself, in a line.
    pub(crate) fn version(&self) -> anyhow::Result<String> {
        type Version = unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int;

        let mut text = [0_u8; LONGEST_TEXT];
        let mut len = 0;
        // SAFETY: the type that `peer.c` gives it.
        let version = unsafe { self.library.get::<Version>(b"version")? };
        // SAFETY: room for the longest text.
        check(unsafe { version(text.as_mut_ptr().cast(), &mut len) })?;
        let text = String::from_utf8_lossy(&text);
        Ok(text.split([',', '\0']).next().unwrap_or_default().to_owned())
    }

    pub(crate) fn end(self) -> anyhow::Result<()> {
        // SAFETY: the type that `peer.c` gives it.
        let end = unsafe { self.library.get::<Call>(b"end")? };
        // SAFETY: MPI isn't ended yet, and no call is under way.
        check(unsafe { end() })
    }
}

fn check(error: c_int) -> anyhow::Result<()> {
    ensure!(error == 0, "MPI: error {error}");
    Ok(())
}
