//! The way in which NVTX 3 finds a tool: the tool says by an environment variable where its library is, and that asks for
//! tables of functions, into which it writes its own. It is what NVTX's header does in a program of C.
//!
//! Source: `nvtxDetail/nvtxInit.h` and `nvtxDetail/nvtxTypes.h` of <https://github.com/NVIDIA/NVTX>.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::Library;

use super::library::{Nvtx, Pop, Push};

const VARIABLE: &str =
    if size_of::<usize>() == 4 { "NVTX_INJECTION32_PATH" } else { "NVTX_INJECTION64_PATH" };

/// The functions of each module, by its number; the first slot of each is none's.
const MODULES: [usize; 7] = [0, 16, 9, 15, 7, 16, 7];

/// A module's slots at most, and a null behind them.
const SLOTS: usize = 17;

/// The module and the slots of the functions that ranges need.
const CORE: usize = 1;
const RANGE_PUSH_A: usize = 9;
const RANGE_POP: usize = 11;

/// The tables that a tool can ask for, by their numbers.
const CALLBACKS: u32 = 1;
const VERSION_INFO: u32 = 3;

type Slot = AtomicPtr<c_void>;

/// The slots that the tool writes its functions to.
static FUNCTIONS: [[Slot; SLOTS]; MODULES.len()] =
    [const { [const { Slot::new(ptr::null_mut()) }; SLOTS] }; MODULES.len()];

/// The addresses of each module's slots.
static TABLES: Tables = Tables(addresses());

struct Tables([[*const Slot; SLOTS]; MODULES.len()]);

// SAFETY: addresses of a static of atomics.
unsafe impl Sync for Tables {}

const fn addresses() -> [[*const Slot; SLOTS]; MODULES.len()] {
    let mut tables = [[ptr::null(); SLOTS]; MODULES.len()];
    let mut module = 0;
    while module < MODULES.len() {
        let mut slot = 1;
        while slot < MODULES[module] {
            tables[module][slot] = &raw const FUNCTIONS[module][slot];
            slot += 1;
        }
        module += 1;
    }
    tables
}

#[repr(C)]
struct Callbacks {
    size: usize,
    table: unsafe extern "C" fn(c_uint, *mut *const *const Slot, *mut c_uint) -> c_int,
}

#[repr(C)]
struct VersionInfo {
    size: usize,
    version: u32,
    reserved: u32,
    set_version_of_tool: extern "C" fn(u32),
}

static OFFERED: Callbacks = Callbacks { size: size_of::<Callbacks>(), table: module_table };
static VERSION: VersionInfo = VersionInfo {
    size: size_of::<VersionInfo>(),
    version: 3,
    reserved: 0,
    set_version_of_tool: take_version,
};

/// # Safety
/// Each of the two is null, or may be written.
unsafe extern "C" fn module_table(
    module: c_uint,
    table: *mut *const *const Slot,
    size: *mut c_uint,
) -> c_int {
    let module = module as usize;
    let (Some(addresses), Some(slots)) = (TABLES.0.get(module), MODULES.get(module)) else { return 0 };
    if *slots == 0 {
        return 0;
    }
    if !size.is_null() {
        // SAFETY: `size` isn't null, and the caller says that it may be written then.
        unsafe { size.write(*slots as c_uint) };
    }
    if !table.is_null() {
        // SAFETY: `table` isn't null, and the caller says that it may be written then.
        unsafe { table.write(addresses.as_ptr()) };
    }
    1
}

extern "C" fn take_version(_: u32) {}

extern "C" fn export_table(number: u32) -> *const c_void {
    match number {
        CALLBACKS => (&raw const OFFERED).cast(),
        VERSION_INFO => (&raw const VERSION).cast(),
        _ => ptr::null(),
    }
}

/// The functions of the tool that wants to be loaded.
pub(super) fn find() -> Option<Nvtx> {
    type Initialize = unsafe extern "C" fn(extern "C" fn(u32) -> *const c_void) -> c_int;
    let path = std::env::var_os(VARIABLE)?;
    // SAFETY: who set the variable answers for what the library does when it is loaded.
    let library = unsafe { Library::new(path) }.ok()?;
    // SAFETY: the function of this name has this type.
    let initialize = *unsafe { library.get::<Initialize>(b"InitializeInjectionNvtx2\0") }.ok()?;
    // SAFETY: the tables are those that it expects.
    let is_ready = unsafe { initialize(export_table) } != 0;
    if !is_ready {
        return None;
    }
    // What was written there stays for as long as the program runs.
    std::mem::forget(library);
    let function = |slot: usize| {
        let functions = FUNCTIONS.get(CORE)?;
        ptr::NonNull::new(functions.get(slot)?.load(Ordering::Acquire))
    };
    let (push, pop) = (function(RANGE_PUSH_A)?, function(RANGE_POP)?);
    // SAFETY: the tool wrote functions of these types to these slots.
    let push = unsafe { std::mem::transmute::<ptr::NonNull<c_void>, Push>(push) };
    // SAFETY: the tool wrote a function of type `Pop` to the slot of `nvtxRangePop`.
    let pop = unsafe { std::mem::transmute::<ptr::NonNull<c_void>, Pop>(pop) };
    Some(Nvtx::new(push, pop))
}
