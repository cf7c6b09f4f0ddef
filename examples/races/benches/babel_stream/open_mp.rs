//! The peer: `stream.c`, compiled when it is wanted.

use std::ffi::c_int;
use std::ptr::NonNull;
use std::slice;

use anyhow::{Context, ensure};

use super::arrays::Contents;
use super::benchmark::Benchmark;
use super::compiled;

/// The functions of `stream.c`.
#[derive(Clone, Copy)]
pub(crate) struct OpenMp {
    threads: unsafe extern "C" fn(c_int),
    allocate: unsafe extern "C" fn(usize) -> *mut f64,
    free: unsafe extern "C" fn(*mut f64),
    init: unsafe extern "C" fn(*mut f64, *mut f64, *mut f64, isize),
    copy: unsafe extern "C" fn(*const f64, *mut f64, isize),
    mul: unsafe extern "C" fn(*mut f64, *const f64, isize),
    add: unsafe extern "C" fn(*const f64, *const f64, *mut f64, isize),
    triad: unsafe extern "C" fn(*mut f64, *const f64, *const f64, isize),
    nstream: unsafe extern "C" fn(*mut f64, *const f64, *const f64, isize),
    dot: unsafe extern "C" fn(*const f64, *const f64, isize) -> f64,
}

impl OpenMp {
    /// Compiles and loads them, for so many threads of who calls from this thread.
    ///
    /// # Errors
    /// Without a compiler, or one that knows OpenMP.
    pub(crate) fn compile(threads: usize) -> anyhow::Result<Self> {
        let library = compiled::library(include_str!("stream.c"), &[])?;
        // SAFETY: the functions of `stream.c` have these types.
        let functions = unsafe {
            Self {
                threads: *library.get(b"stream_threads\0")?,
                allocate: *library.get(b"stream_allocate\0")?,
                free: *library.get(b"stream_free\0")?,
                init: *library.get(b"stream_init\0")?,
                copy: *library.get(b"stream_copy\0")?,
                mul: *library.get(b"stream_mul\0")?,
                add: *library.get(b"stream_add\0")?,
                triad: *library.get(b"stream_triad\0")?,
                nstream: *library.get(b"stream_nstream\0")?,
                dot: *library.get(b"stream_dot\0")?,
            }
        };
        // SAFETY: any number will do.
        unsafe { (functions.threads)(threads.try_into().unwrap_or(1)) };
        Ok(functions)
    }
}

/// Three arrays of C's.
pub(crate) struct PeerArrays {
    open_mp: OpenMp,
    a: Array,
    b: Array,
    c: Array,
    len: isize,
}

impl PeerArrays {
    /// Arrays of so many elements, as they are at the start.
    ///
    /// # Errors
    /// Where there isn't the memory.
    pub(crate) fn new(open_mp: OpenMp, len: usize) -> anyhow::Result<Self> {
        let array = || Array::new(open_mp, len);
        let arrays = Self { open_mp, a: array()?, b: array()?, c: array()?, len: len.try_into()? };
        let Self { a, b, c, len, .. } = &arrays;
        // SAFETY: the arrays have so many elements, and nobody else has them.
        unsafe { (open_mp.init)(a.pointer(), b.pointer(), c.pointer(), *len) };
        Ok(arrays)
    }

    /// Runs a benchmark to its end. Only [`Dot`](Benchmark::Dot) has a result.
    pub(crate) fn run(&mut self, benchmark: Benchmark) -> Option<f64> {
        let Self { open_mp, len, .. } = *self;
        let (a, b, c) = (self.a.pointer(), self.b.pointer(), self.c.pointer());
        // SAFETY: the arrays have so many elements, don't overlap, and are borrowed; `new` filled them.
        unsafe {
            match benchmark {
                Benchmark::Copy => (open_mp.copy)(a, c, len),
                Benchmark::Mul => (open_mp.mul)(b, c, len),
                Benchmark::Add => (open_mp.add)(a, b, c, len),
                Benchmark::Triad => (open_mp.triad)(a, b, c, len),
                Benchmark::Nstream => (open_mp.nstream)(a, b, c, len),
                Benchmark::Dot => return Some((open_mp.dot)(a, b, len)),
            }
        }
        None
    }

    /// What the arrays hold.
    pub(crate) fn contents(&self) -> Contents<f64> {
        // SAFETY: the array has so many elements, which `new` filled, and nobody writes them meanwhile.
        let elements =
            |array: &Array| unsafe { slice::from_raw_parts(array.pointer(), self.len as usize).to_vec() };
        Contents { a: elements(&self.a), b: elements(&self.b), c: elements(&self.c) }
    }
}

/// Memory of C's.
struct Array {
    open_mp: OpenMp,
    memory: NonNull<f64>,
}

impl Array {
    fn new(open_mp: OpenMp, len: usize) -> anyhow::Result<Self> {
        ensure!(len <= isize::MAX as usize / 16, "{len} elements are too many");
        // SAFETY: so many elements are no more than half of the address space.
        let memory = NonNull::new(unsafe { (open_mp.allocate)(len) });
        Ok(Self { open_mp, memory: memory.with_context(|| format!("no memory for {len} elements"))? })
    }

    fn pointer(&self) -> *mut f64 {
        self.memory.as_ptr()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // SAFETY: `stream_allocate` gave it, and nobody else frees it.
        unsafe { (self.open_mp.free)(self.memory.as_ptr()) };
    }
}
