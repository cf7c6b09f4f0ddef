//! Calls of one group on a communicator: copies to the host, one host function, copies back.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use crate::answer::unpanicked;
use crate::communicator::{Buffers, Communicator};
use crate::cuda::{Cuda, Event, Handle, Pinned, Queued, cuda};
use crate::error::{Error, remember};
use crate::exchange::Numbered;
use crate::locks::lock;
use crate::mesh::Mesh;
use crate::operation::Call;

/// What a result's bytes are after an error: no number, as floats.
const POISON: u8 = 0xff;

/// A call that was checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    pub(crate) call: Call,
    pub(crate) buffers: Buffers,
    /// Bytes.
    pub(crate) input: usize,
    /// Bytes.
    pub(crate) output: usize,
}

/// A call's memory on the host.
struct Staged {
    numbered: Numbered,
    input: Pinned,
    output: Pinned,
}

/// What the host function works on.
struct Work {
    mesh: Arc<Mesh>,
    /// None once it is freed.
    staged: Mutex<Option<Vec<Staged>>>,
}

/// A launch that may be under way.
pub(crate) struct Pending {
    work: Arc<Work>,
    done: Event,
}

impl Pending {
    pub(crate) fn is_over(&self) -> bool {
        self.done.is_over()
    }

    pub(crate) fn wait(&self) {
        self.done.wait();
    }

    /// Frees the memory on the host, once the host function doesn't use it.
    pub(crate) fn free(self) {
        let staged = lock(&self.work.staged).take().unwrap_or_default();
        free(staged);
    }
}

fn free(staged: Vec<Staged>) {
    let Ok(cuda) = cuda() else { return };
    for one in staged {
        cuda.free(one.input);
        cuda.free(one.output);
    }
}

/// Queues calls of one group. They begin when each of their streams is there, and each stream goes on when all are done.
pub(crate) fn launch(communicator: &Communicator, launches: &[Launch]) -> Result<(), Error> {
    let Some(first) = launches.first() else { return Ok(()) };
    let main = first.buffers.stream;
    let mut others: Vec<Handle> = Vec::new();
    for stream in launches.iter().map(|launch| launch.buffers.stream) {
        if stream != main && !others.contains(&stream) {
            others.push(stream);
        }
    }
    let cuda = cuda()?;
    let mut state = lock(&communicator.state);
    let queued = cuda.within(communicator.context, || {
        for stream in &others {
            cuda.wait(main, &cuda.record(*stream)?)?;
        }
        let mut staged = Vec::new();
        for launch in launches {
            let sequence = state.number(launch.call);
            staged.push(stage(cuda, launch, sequence, main)?);
        }
        let outputs: Vec<Queued> = staged.iter().map(|staged| Queued::from(&staged.output)).collect();
        let work = Arc::new(Work { mesh: Arc::clone(&communicator.mesh), staged: Mutex::new(Some(staged)) });
        let data = Arc::into_raw(Arc::clone(&work)).cast_mut().cast::<c_void>();
        // SAFETY: `run` takes the count of `work` that the pointer has. If it is never called, the count stays and nothing is freed.
        unsafe { cuda.launch_host(main, run, data) }?;
        for (launch, output) in launches.iter().zip(outputs) {
            cuda.to_device(launch.buffers.output, output, main)?;
        }
        let done = cuda.record(main)?;
        for stream in &others {
            cuda.wait(*stream, &done)?;
        }
        state.keep(Pending { work, done });
        Ok(())
    });
    // Ranks count differently from here on. What was queued may still use its memory, which is never freed.
    queued.inspect_err(|error| communicator.mesh.stop(error.clone()))
}

/// Allocates a call's memory on the host, and queues the copy of its input.
fn stage(cuda: &Cuda, launch: &Launch, sequence: u64, stream: Handle) -> Result<Staged, Error> {
    let mut input = cuda.alloc(launch.input)?;
    let output = cuda.alloc(launch.output)?;
    cuda.to_host(&mut input, launch.buffers.input, stream)?;
    Ok(Staged { numbered: Numbered { call: launch.call, sequence }, input, output })
}

/// The host function.
///
/// # Safety
/// `data` is a count of a `Work`, which this takes.
unsafe extern "C" fn run(data: *mut c_void) {
    // SAFETY: as this function asks.
    let work = unsafe { Arc::from_raw(data.cast_const().cast::<Work>()) };
    let mut staged = lock(&work.staged);
    let Some(staged) = staged.as_mut() else { return };
    if let Err(error) = unpanicked(|| exchange(&work.mesh, staged)) {
        remember(&error);
        work.mesh.stop(error);
        for staged in staged {
            staged.output.bytes_mut().fill(POISON);
        }
    }
}

/// All sends come first, so that calls of one group progress together.
fn exchange(mesh: &Mesh, staged: &mut [Staged]) -> Result<(), Error> {
    if let Some(error) = mesh.stopped() {
        return Err(error);
    }
    for staged in &*staged {
        staged.numbered.send(mesh, staged.input.bytes())?;
    }
    for staged in staged {
        staged.numbered.receive(mesh, staged.input.bytes(), staged.output.bytes_mut())?;
    }
    Ok(())
}
