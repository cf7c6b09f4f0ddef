use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use crate::element::Number;
use crate::engine::nccl::reason;
use crate::settings::parse;
use crate::{Error, ReduceOp};

/// Names of the library, the first of them of Open MPI 4 and 5, whose ABI this is.
const NAMES: [&str; 2] = if cfg!(target_os = "macos") {
    ["libmpi.40.dylib", "libmpi.dylib"]
} else {
    ["libmpi.so.40", "libmpi.so"]
};

const INSTALL: &str = "install Open MPI (Debian, Ubuntu: `apt-get install openmpi-bin libopenmpi3`) and start the program with \
                       `mpirun`, or name the library in GRIDWRIGHT_MPI_LIBRARY";

/// `MPI_SUCCESS`.
pub(super) const SUCCESS: c_int = 0;
/// `MPI_THREAD_MULTIPLE`.
pub(super) const THREAD_MULTIPLE: c_int = 3;
/// `MPI_IN_PLACE` of Open MPI.
pub(super) const IN_PLACE: *const c_void = ptr::without_provenance(1);
/// `MPI_ANY_SOURCE` and `MPI_ANY_TAG` of Open MPI.
pub(super) const ANY: c_int = -1;
/// `MPI_COMM_TYPE_SHARED` of Open MPI.
pub(super) const COMM_TYPE_SHARED: c_int = 0;
/// `MPI_MAX_LIBRARY_VERSION_STRING` of Open MPI, and `MPI_MAX_ERROR_STRING`, which is the same.
pub(super) const LONGEST_TEXT: usize = 256;

/// A handle of Open MPI's: the address of something of its own.
pub(super) type Handle = *mut c_void;

/// `MPI_Status` of Open MPI.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    pub(super) source: c_int,
    pub(super) tag: c_int,
    pub(super) error: c_int,
    cancelled: c_int,
    /// Bytes that were received.
    pub(super) bytes: usize,
}

impl Status {
    pub(super) const NONE: Self = Self { source: 0, tag: 0, error: SUCCESS, cancelled: 0, bytes: 0 };
}

macro_rules! table {
    ($($field:ident: $name:literal ($($argument:ty),*);)*) => {
        /// MPI's functions, all of which return an error's number.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Functions {
            /// # Errors
            /// The first function that isn't there.
            fn find(library: &libloading::Library) -> Result<Self, String> {
                Ok(Self {
                    // SAFETY: the functions of MPI's standard, with the types of Open MPI's ABI; the library is never unloaded.
                    $($field: *unsafe { library.get(concat!($name, "\0").as_bytes()) }.map_err(|error| reason(&error))?,)*
                })
            }
        }
    };
}

type Buffer = *mut c_void;
type Input = *const c_void;

table! {
    initialized: "MPI_Initialized" (*mut c_int);
    init_thread: "MPI_Init_thread" (*mut c_int, *mut c_void, c_int, *mut c_int);
    query_thread: "MPI_Query_thread" (*mut c_int);
    finalized: "MPI_Finalized" (*mut c_int);
    finalize: "MPI_Finalize" ();
    library_version: "MPI_Get_library_version" (*mut c_char, *mut c_int);
    error_string: "MPI_Error_string" (c_int, *mut c_char, *mut c_int);
    rank: "MPI_Comm_rank" (Handle, *mut c_int);
    size: "MPI_Comm_size" (Handle, *mut c_int);
    duplicate: "MPI_Comm_dup" (Handle, *mut Handle);
    split_type: "MPI_Comm_split_type" (Handle, c_int, c_int, Handle, *mut Handle);
    free: "MPI_Comm_free" (*mut Handle);
    set_errhandler: "MPI_Comm_set_errhandler" (Handle, Handle);
    iprobe: "MPI_Iprobe" (c_int, c_int, Handle, *mut c_int, *mut Status);
    wait_all: "MPI_Waitall" (c_int, *mut Handle, *mut Status);
    send: "MPI_Send" (Input, c_int, Handle, c_int, c_int, Handle);
    receive: "MPI_Recv" (Buffer, c_int, Handle, c_int, c_int, Handle, *mut Status);
    isend: "MPI_Isend" (Input, c_int, Handle, c_int, c_int, Handle, *mut Handle);
    irecv: "MPI_Irecv" (Buffer, c_int, Handle, c_int, c_int, Handle, *mut Handle);
    barrier: "MPI_Barrier" (Handle);
    all_reduce: "MPI_Allreduce" (Input, Buffer, c_int, Handle, Handle, Handle);
    reduce: "MPI_Reduce" (Input, Buffer, c_int, Handle, Handle, c_int, Handle);
    broadcast: "MPI_Bcast" (Buffer, c_int, Handle, c_int, Handle);
    all_gather: "MPI_Allgather" (Input, c_int, Handle, Buffer, c_int, Handle, Handle);
    reduce_scatter: "MPI_Reduce_scatter_block" (Input, Buffer, c_int, Handle, Handle, Handle);
    all_to_all: "MPI_Alltoall" (Input, c_int, Handle, Buffer, c_int, Handle, Handle);
    all_to_all_v: "MPI_Alltoallv" (Input, *const c_int, *const c_int, Handle, Buffer, *const c_int, *const c_int, Handle, Handle);
}

/// Open MPI, as the program has it.
#[derive(Debug)]
pub(crate) struct Library {
    pub(super) functions: Functions,
    pub(super) world: Handle,
    pub(super) null_info: Handle,
    pub(super) errors_return: Handle,
    /// `MPI_UINT8_T` to `MPI_UINT64_T`: bytes that nobody looks into, 1, 2, 4 and 8 at a time.
    units: [Handle; 4],
    /// By [`Number`].
    numbers: [Handle; 8],
    /// By [`ReduceOp`].
    operators: [Handle; 4],
}

// SAFETY: addresses of what the library never moves; with `MPI_THREAD_MULTIPLE` its functions take any thread.
unsafe impl Send for Library {}
// SAFETY: `MPI_THREAD_MULTIPLE` lets several threads call at once; without it there is no `Process`.
unsafe impl Sync for Library {}

impl Library {
    /// Loads the library, once and for ever.
    ///
    /// # Errors
    /// [`Error::EngineMissing`], [`Error::EngineUnknown`].
    pub(super) fn load() -> Result<Self, Error> {
        let named = parse("GRIDWRIGHT_MPI_LIBRARY", "a library's path", |value| Some(value.to_owned()))?;
        let names: Vec<&str> = named.as_deref().map_or(NAMES.to_vec(), |name| vec![name]);
        let mut reasons = Vec::new();
        for name in names {
            match open(name) {
                Ok(library) => return Self::of(Box::leak(Box::new(library))),
                Err(error) => reasons.push(format!("{name}: {}", reason(&error))),
            }
        }
        Err(Error::EngineMissing { engine: "MPI", reason: reasons.join("; "), install: INSTALL })
    }

    fn of(library: &'static libloading::Library) -> Result<Self, Error> {
        let unknown = |reason| Error::EngineUnknown { engine: "MPI", reason };
        let functions = Functions::find(library).map_err(unknown)?;
        let mut text = [0; LONGEST_TEXT];
        let mut len = 0;
        // SAFETY: room for the longest text; MPI allows the call before it is started.
        unsafe { (functions.library_version)(text.as_mut_ptr(), &mut len) };
        let version = said(&text);
        if !version.starts_with("Open MPI") {
            let reason = format!("it is {version}, and only the ABI of Open MPI 4 and 5 is known");
            return Err(unknown(reason));
        }
        let handle = |name: &str| {
            // SAFETY: handles of Open MPI's are the addresses of its symbols, and a symbol's value here is its address.
            let symbol = unsafe { library.get::<Handle>(name.as_bytes()) };
            symbol.map(|address| *address).map_err(|error| unknown(reason(&error)))
        };
        let kind = |name: &str| handle(&format!("ompi_mpi_{name}"));
        Ok(Self {
            functions,
            world: kind("comm_world")?,
            null_info: kind("info_null")?,
            errors_return: kind("errors_return")?,
            units: [kind("uint8_t")?, kind("uint16_t")?, kind("uint32_t")?, kind("uint64_t")?],
            numbers: [
                kind("int8_t")?,
                kind("uint8_t")?,
                kind("int32_t")?,
                kind("uint32_t")?,
                kind("int64_t")?,
                kind("uint64_t")?,
                kind("float")?,
                kind("double")?,
            ],
            operators: [kind("op_sum")?, kind("op_prod")?, kind("op_min")?, kind("op_max")?],
        })
    }

    pub(super) fn number(&self, number: Number) -> Handle {
        match number {
            Number::I8 => self.numbers[0],
            Number::U8 => self.numbers[1],
            Number::I32 => self.numbers[2],
            Number::U32 => self.numbers[3],
            Number::I64 => self.numbers[4],
            Number::U64 => self.numbers[5],
            Number::F32 => self.numbers[6],
            Number::F64 => self.numbers[7],
        }
    }

    pub(super) fn operator(&self, operator: ReduceOp) -> Handle {
        match operator {
            ReduceOp::Sum => self.operators[0],
            ReduceOp::Product => self.operators[1],
            ReduceOp::Minimum => self.operators[2],
            ReduceOp::Maximum => self.operators[3],
        }
    }

    /// The widest unit that so many bytes are a whole number of, and its bytes.
    pub(super) fn unit(&self, bytes: usize) -> (Handle, usize) {
        match bytes {
            _ if bytes.is_multiple_of(8) => (self.units[3], 8),
            _ if bytes.is_multiple_of(4) => (self.units[2], 4),
            _ if bytes.is_multiple_of(2) => (self.units[1], 2),
            _ => (self.units[0], 1),
        }
    }

    /// What MPI says of an error's number.
    pub(super) fn message(&self, status: c_int) -> String {
        let mut text = [0; LONGEST_TEXT];
        let mut len = 0;
        // SAFETY: room for the longest text.
        unsafe { (self.functions.error_string)(status, text.as_mut_ptr(), &mut len) };
        said(&text)
    }
}

/// A text that ends with a zero.
fn said(text: &[c_char; LONGEST_TEXT]) -> String {
    let bytes: Vec<u8> = text.iter().map(|&byte| byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Opens a library so that those that it loads later find its functions, as Open MPI's own modules do.
#[cfg(unix)]
fn open(name: &str) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

    // SAFETY: MPI's initialisers do nothing but what a program that is linked with it has them do.
    unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) }.map(Into::into)
}

#[cfg(not(unix))]
fn open(name: &str) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: MPI's initialisers do nothing but what a program that is linked with it has them do.
    unsafe { libloading::Library::new(name) }
}
