use std::ffi::c_int;
use std::fmt;
use std::ptr;
use std::sync::Arc;

use super::library::{Handle, IN_PLACE, Library, SUCCESS, Status};
use crate::call::{Call, Collective};
use crate::control::{Trouble, Watch};
use crate::element::Number;
use crate::engine::{EngineKind, HostEngine};

/// Bytes that `all_reduce` and `broadcast` move at a time. Open MPI 4.1's own way of two ranks takes twice as long for 32 MiB or 64 MiB at once;
/// with 4 MiB at a time 16 MiB would take a fifth longer (`cargo xtask bench --comm`).
const CHUNK: usize = 16 << 20;

/// Tag of all messages: their order says which is which.
const TAG: c_int = 0;

/// A communicator of MPI's.
pub(crate) struct Group {
    library: Arc<Library>,
    handle: Handle,
    rank: usize,
    size: usize,
    watch: Watch,
}

// SAFETY: a handle, which MPI takes from any thread with `MPI_THREAD_MULTIPLE`.
unsafe impl Send for Group {}
// SAFETY: calls of one communicator come one after another, as `Communicator` sees to; the others are MPI's to keep apart.
unsafe impl Sync for Group {}

/// Calls a function. Those that block take faster ways than those that don't, and with Open MPI 4.1 the latter were seen to wait for ever: a
/// broadcast of 4 ranks, after some thousand other calls.
macro_rules! call {
    ($group:ident, $name:literal, $function:ident, ($($argument:expr),* $(,)?) $(,)?) => {
        // SAFETY: as many elements are where the arguments say, borrowed until this returns.
        $group.check($name, unsafe { ($group.library.functions.$function)($($argument),*) })
    };
}

impl Group {
    pub(super) fn new(library: Arc<Library>, handle: Handle, rank: usize, size: usize, watch: Watch) -> Self {
        Self { library, handle, rank, size, watch }
    }

    fn all_reduce(
        &self,
        operator: Handle,
        number: (Handle, usize),
        input: Option<&[u8]>,
        output: &mut [u8],
    ) -> Result<(), Trouble> {
        for (place, output) in output.chunks_mut(CHUNK).enumerate() {
            // As long as the output: the caller looked.
            let input = input.and_then(|input| input.get(place * CHUNK..));
            let from = input.map_or(IN_PLACE, |input| input.as_ptr().cast());
            let (to, count) = (output.as_mut_ptr().cast(), count(output.len() / number.1));
            call!(self, "MPI_Allreduce", all_reduce, (from, to, count, number.0, operator, self.handle))?;
        }
        Ok(())
    }

    fn broadcast(&self, root: usize, output: &mut [u8]) -> Result<(), Trouble> {
        for part in output.chunks_mut(CHUNK) {
            let (unit, size) = self.library.unit(part.len());
            let (to, count) = (part.as_mut_ptr().cast(), count(part.len() / size));
            call!(self, "MPI_Bcast", broadcast, (to, count, unit, root as c_int, self.handle))?;
        }
        Ok(())
    }

    fn reduce(
        &self,
        operator: Handle,
        number: (Handle, usize),
        root: usize,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Trouble> {
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        let count = count(input.len() / number.1);
        let root = root as c_int;
        call!(self, "MPI_Reduce", reduce, (from, to, count, number.0, operator, root, self.handle))
    }

    fn reduce_scatter(
        &self,
        operator: Handle,
        number: (Handle, usize),
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Trouble> {
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        let (count, kind) = (count(output.len() / number.1), number.0);
        call!(
            self,
            "MPI_Reduce_scatter_block",
            reduce_scatter,
            (from, to, count, kind, operator, self.handle),
        )
    }

    fn all_gather(&self, input: &[u8], output: &mut [u8]) -> Result<(), Trouble> {
        let (unit, size) = self.library.unit(input.len());
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        let count = count(input.len() / size);
        call!(self, "MPI_Allgather", all_gather, (from, count, unit, to, count, unit, self.handle))
    }

    fn all_to_all(&self, input: &[u8], output: &mut [u8]) -> Result<(), Trouble> {
        let each = input.len() / self.size;
        let (unit, size) = self.library.unit(each);
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        let count = count(each / size);
        call!(self, "MPI_Alltoall", all_to_all, (from, count, unit, to, count, unit, self.handle))
    }

    fn all_to_all_v(
        &self,
        sent: &[usize],
        received: &[usize],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Trouble> {
        let elements: usize = sent.iter().sum();
        let others: usize = received.iter().sum();
        let element =
            if elements == 0 { output.len().checked_div(others) } else { input.len().checked_div(elements) };
        let (unit, size) = self.library.unit(element.unwrap_or(1));
        let each = element.unwrap_or(1) / size;
        let (sent, sent_at) = counts(sent, each);
        let (received, received_at) = counts(received, each);
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        call!(
            self,
            "MPI_Alltoallv",
            all_to_all_v,
            (
                from,
                sent.as_ptr(),
                sent_at.as_ptr(),
                unit,
                to,
                received.as_ptr(),
                received_at.as_ptr(),
                unit,
                self.handle
            ),
        )
    }

    /// Starts messages, as far as it gets.
    fn start(
        &self,
        sends: &[(usize, &[u8])],
        receives: &mut [(usize, &mut [u8])],
        requests: &mut Vec<Handle>,
    ) -> Result<(), Trouble> {
        let functions = &self.library.functions;
        for (from, bytes) in receives {
            let (unit, size) = self.library.unit(bytes.len());
            let (to, count, from) = (bytes.as_mut_ptr().cast(), count(bytes.len() / size), *from as c_int);
            let mut request = ptr::null_mut();
            // SAFETY: as many bytes are there, borrowed until all requests are done.
            let started = unsafe { (functions.irecv)(to, count, unit, from, TAG, self.handle, &mut request) };
            self.check("MPI_Irecv", started)?;
            requests.push(request);
        }
        for (to, bytes) in sends {
            let (unit, size) = self.library.unit(bytes.len());
            let (from, count, to) = (bytes.as_ptr().cast(), count(bytes.len() / size), *to as c_int);
            let mut request = ptr::null_mut();
            // SAFETY: as many bytes are there, borrowed until all requests are done.
            let started = unsafe { (functions.isend)(from, count, unit, to, TAG, self.handle, &mut request) };
            self.check("MPI_Isend", started)?;
            requests.push(request);
        }
        Ok(())
    }

    fn check(&self, call: &str, status: c_int) -> Result<(), Trouble> {
        if status == SUCCESS {
            return Ok(());
        }
        let message = self.library.message(status);
        Err(Trouble::Engine { engine: "MPI".into(), call: call.into(), message })
    }
}

impl HostEngine for Group {
    fn kind(&self) -> EngineKind {
        EngineKind::Mpi
    }

    fn most_elements(&self, bytes: usize) -> usize {
        // MPI counts units of a number of bytes that the element's are a whole number of.
        let (_, unit) = self.library.unit(bytes);
        (c_int::MAX as usize) / (bytes / unit).max(1)
    }

    fn collective(
        &self,
        call: &Call,
        number: Option<Number>,
        input: Option<&[u8]>,
        output: &mut [u8],
    ) -> Result<(), Trouble> {
        let number =
            number.map_or((ptr::null_mut(), 1), |number| (self.library.number(number), number.bytes()));
        let operator = |op| self.library.operator(op);
        let read = input.unwrap_or_default();
        match &call.collective {
            Collective::New(_) => Ok(()),
            Collective::Barrier => call!(self, "MPI_Barrier", barrier, (self.handle)),
            &Collective::AllReduce(op) => self.all_reduce(operator(op), number, input, output),
            &Collective::Reduce(op, root) => self.reduce(operator(op), number, root, read, output),
            &Collective::Broadcast(root) => self.broadcast(root, output),
            Collective::AllGather => self.all_gather(read, output),
            &Collective::ReduceScatter(op) => self.reduce_scatter(operator(op), number, read, output),
            Collective::AllToAll => self.all_to_all(read, output),
            Collective::AllToAllV(sent, received) => self.all_to_all_v(sent, received, read, output),
        }
    }

    fn exchange(&self, sends: &[(usize, &[u8])], receives: &mut [(usize, &mut [u8])]) -> Result<(), Trouble> {
        let mut requests = Vec::with_capacity(sends.len() + receives.len());
        let started = self.start(sends, receives, &mut requests);
        let mut statuses = vec![Status::NONE; requests.len()];
        let len = count(requests.len());
        // SAFETY: requests that were started, and as many places for their statuses.
        let done =
            unsafe { (self.library.functions.wait_all)(len, requests.as_mut_ptr(), statuses.as_mut_ptr()) };
        started?;
        self.check("MPI_Waitall", done)?;
        for ((from, bytes), status) in receives.iter().zip(&statuses) {
            check_received(*from, bytes, status)?;
        }
        Ok(())
    }

    fn send(&self, bytes: &[u8], to: usize) -> Result<(), Trouble> {
        let (unit, size) = self.library.unit(bytes.len());
        let (from, count, to) = (bytes.as_ptr().cast(), count(bytes.len() / size), to as c_int);
        // SAFETY: as many bytes are there, borrowed until this returns.
        let done = unsafe { (self.library.functions.send)(from, count, unit, to, TAG, self.handle) };
        self.check("MPI_Send", done)
    }

    fn receive(&self, bytes: &mut [u8], from: usize) -> Result<(), Trouble> {
        let (unit, size) = self.library.unit(bytes.len());
        let (to, count, rank) = (bytes.as_mut_ptr().cast(), count(bytes.len() / size), from as c_int);
        let mut status = Status::NONE;
        // SAFETY: as many bytes are there, borrowed mutably until this returns; a place for the status.
        let done =
            unsafe { (self.library.functions.receive)(to, count, unit, rank, TAG, self.handle, &mut status) };
        self.check("MPI_Recv", done)?;
        check_received(from, bytes, &status)
    }
}

/// Sees that a message had as many bytes as its receiver.
fn check_received(from: usize, bytes: &[u8], status: &Status) -> Result<(), Trouble> {
    let (sent, expected) = (status.bytes, bytes.len());
    if sent == expected {
        return Ok(());
    }
    let message = format!("rank {from} sent {sent} bytes where {expected} were to be received");
    Err(Trouble::Engine { engine: "MPI".into(), call: "receive".into(), message })
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.watch.trouble().is_none() {
            // SAFETY: made by `MPI_Comm_dup`, and no call is under way.
            unsafe { (self.library.functions.free)(&mut self.handle) };
        }
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").field("rank", &self.rank).field("size", &self.size).finish_non_exhaustive()
    }
}

/// A count as MPI has it: `most_elements` keeps it in range.
fn count(count: usize) -> c_int {
    count as c_int
}

/// Counts and offsets of units, of counts of elements.
fn counts(elements: &[usize], each: usize) -> (Vec<c_int>, Vec<c_int>) {
    let counts: Vec<_> = elements.iter().map(|&elements| count(elements * each)).collect();
    let mut end = 0;
    let starts = counts.iter().map(|count| {
        let start = end;
        end += count;
        start
    });
    let offsets = starts.collect();
    (counts, offsets)
}
