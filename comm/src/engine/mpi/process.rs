use std::ffi::c_int;
use std::ptr;
use std::sync::Arc;

use super::group::Group;
use super::library::{ANY, COMM_TYPE_SHARED, Handle, Library, SUCCESS, THREAD_MULTIPLE};
use crate::Error;
use crate::control::Watch;

/// MPI in this process. The last owner ends it.
#[derive(Debug)]
pub(crate) struct Process {
    library: Arc<Library>,
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) local_rank: usize,
    pub(crate) local_size: usize,
    /// Whether this crate started MPI, and so ends it.
    is_ours: bool,
}

impl Process {
    /// Starts MPI, or takes it as the program has started it.
    ///
    /// # Errors
    /// [`Error::EngineMissing`], [`Error::EngineUnknown`], [`Error::Engine`].
    pub(crate) fn start() -> Result<Self, Error> {
        let library = Library::load()?;
        let functions = &library.functions;
        let (mut is_initialized, mut threads) = (0, 0);
        // SAFETY: MPI allows it at any time; a place for the answer.
        check(&library, 0, "MPI_Initialized", unsafe { (functions.initialized)(&mut is_initialized) })?;
        if is_initialized == 0 {
            // SAFETY: not started yet, nor ended: `World` makes one process. MPI takes null for the program's arguments.
            let started = unsafe {
                (functions.init_thread)(ptr::null_mut(), ptr::null_mut(), THREAD_MULTIPLE, &mut threads)
            };
            check(&library, 0, "MPI_Init_thread", started)?;
        } else {
            // SAFETY: it is started.
            check(&library, 0, "MPI_Query_thread", unsafe { (functions.query_thread)(&mut threads) })?;
        }
        if threads < THREAD_MULTIPLE {
            let reason =
                "it is built, or was started, without MPI_THREAD_MULTIPLE, and drivers call from threads of \
                          their own"
                    .into();
            return Err(Error::EngineUnknown { engine: "MPI", reason });
        }
        let world = library.world;
        // SAFETY: a communicator, and a handler, of MPI's own.
        let set = unsafe { (functions.set_errhandler)(world, library.errors_return) };
        check(&library, 0, "MPI_Comm_set_errhandler", set)?;
        let (rank, size) =
            (number(&library, functions.rank, world)?, number(&library, functions.size, world)?);
        let mut local = ptr::null_mut();
        // SAFETY: all ranks call it here; a place for the handle.
        let split = unsafe {
            (functions.split_type)(world, COMM_TYPE_SHARED, rank as c_int, library.null_info, &mut local)
        };
        check(&library, rank, "MPI_Comm_split_type", split)?;
        let local_rank = number(&library, functions.rank, local)?;
        let local_size = number(&library, functions.size, local)?;
        // SAFETY: made just now, and not used any more.
        check(&library, rank, "MPI_Comm_free", unsafe { (functions.free)(&mut local) })?;
        Ok(Self {
            library: Arc::new(library),
            rank,
            size,
            local_rank,
            local_size,
            is_ours: is_initialized == 0,
        })
    }

    /// Gives every rank rank 0's bytes. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Engine`].
    pub(crate) fn broadcast(&self, bytes: &mut [u8]) -> Result<(), Error> {
        let (unit, size) = self.library.unit(bytes.len());
        let count = (bytes.len() / size) as c_int;
        let buffer = bytes.as_mut_ptr().cast();
        // SAFETY: as many bytes are there; they are borrowed mutably.
        let done = unsafe { (self.library.functions.broadcast)(buffer, count, unit, 0, self.library.world) };
        check(&self.library, self.rank, "MPI_Bcast", done)
    }

    /// Has MPI go on with what it was given: Open MPI does so in its calls alone. A call that has ended here may have left bytes behind that
    /// another rank waits for.
    pub(crate) fn progress(&self) -> impl Fn() + Send + Sync + 'static {
        let library = Arc::clone(&self.library);
        move || {
            let mut is_there = 0;
            // SAFETY: MPI is started, and ended after the last of those that call this; a place for the answer, and null for a status that nobody
            // wants.
            unsafe { (library.functions.iprobe)(ANY, ANY, library.world, &mut is_there, ptr::null_mut()) };
        }
    }

    /// A new communicator of all ranks. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Engine`].
    pub(crate) fn group(&self, watch: Watch) -> Result<Group, Error> {
        let mut handle = ptr::null_mut();
        // SAFETY: a communicator that is there; a place for the handle.
        let made = unsafe { (self.library.functions.duplicate)(self.library.world, &mut handle) };
        check(&self.library, self.rank, "MPI_Comm_dup", made)?;
        Ok(Group::new(Arc::clone(&self.library), handle, self.rank, self.size, watch))
    }

    /// Ends MPI, in which all ranks wait for each other.
    pub(crate) fn end(self) {
        let functions = &self.library.functions;
        let mut is_finalized = 0;
        // SAFETY: MPI allows it at any time; a place for the answer.
        unsafe { (functions.finalized)(&mut is_finalized) };
        if self.is_ours && is_finalized == 0 {
            // SAFETY: started by this, not ended yet, and no call is under way: the world is gone.
            unsafe { (functions.finalize)() };
        }
    }
}

/// A number of a communicator's.
fn number(
    library: &Library,
    function: unsafe extern "C" fn(Handle, *mut c_int) -> c_int,
    communicator: Handle,
) -> Result<usize, Error> {
    let mut number = 0;
    // SAFETY: a communicator that is there; a place for the number.
    check(library, 0, "MPI_Comm_rank or MPI_Comm_size", unsafe { function(communicator, &mut number) })?;
    usize::try_from(number).map_err(|_| Error::EngineUnknown {
        engine: "MPI",
        reason: format!("it says that a rank or a number of ranks is {number}"),
    })
}

fn check(library: &Library, rank: usize, call: &str, status: c_int) -> Result<(), Error> {
    if status == SUCCESS {
        return Ok(());
    }
    Err(Error::Engine { rank, engine: "MPI".into(), call: call.into(), message: library.message(status) })
}
