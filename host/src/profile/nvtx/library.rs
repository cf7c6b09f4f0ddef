//! Who is told of ranges: a tool that wants to be loaded, or the library of older toolkits.

use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

use libloading::Library;

use super::injection;

/// The libraries' names, of toolkits before CUDA 13, on Linux and on Windows.
const LIBRARIES: [&str; 3] = ["libnvToolsExt.so.1", "libnvToolsExt.so", "nvToolsExt64_1.dll"];

pub(super) type Push = unsafe extern "C" fn(*const c_char) -> c_int;
pub(super) type Pop = unsafe extern "C" fn() -> c_int;

/// The two functions, for as long as the program runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nvtx {
    push: Push,
    pop: Pop,
}

impl Nvtx {
    pub(super) fn new(push: Push, pop: Pop) -> Self {
        Self { push, pop }
    }

    /// The functions; none where nobody wants to know of ranges.
    pub(super) fn get() -> Option<Self> {
        static FOUND: OnceLock<Option<Nvtx>> = OnceLock::new();
        *FOUND.get_or_init(|| injection::find().or_else(|| LIBRARIES.iter().find_map(|name| Self::of(name))))
    }

    /// The functions of a library.
    fn of(name: &str) -> Option<Self> {
        // SAFETY: NVIDIA's library, by its name, does nothing when it is loaded that could break the program.
        let library = unsafe { Library::new(name) }.ok()?;
        // SAFETY: its functions of these names have these types.
        let push = *unsafe { library.get::<Push>(b"nvtxRangePushA\0") }.ok()?;
        // SAFETY: the library's function of this name has the type `Pop`.
        let pop = *unsafe { library.get::<Pop>(b"nvtxRangePop\0") }.ok()?;
        // The functions stay for as long as the program runs.
        std::mem::forget(library);
        Some(Self { push, pop })
    }

    pub(super) fn push(self, name: &str) {
        // A name with a zero in it ends there.
        let name = name.split('\0').next().unwrap_or_default();
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a text that ends with a zero, which the function copies.
        unsafe { (self.push)(name.as_ptr()) };
    }

    pub(super) fn pop(self) {
        // SAFETY: it takes nothing.
        unsafe { (self.pop)() };
    }
}
