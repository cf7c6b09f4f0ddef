//! A communicator: a rank's place among others, and what of it is under way.

use std::ffi::c_int;
use std::sync::{Arc, Mutex};

use crate::cuda::{self, cuda};
use crate::error::Error;
use crate::launch::{Launch, Pending};
use crate::locks::lock;
use crate::mesh::Mesh;
use crate::operation::{Call, Kind};
use crate::rendezvous::Member;
use crate::settings;

pub(crate) struct Communicator {
    pub(crate) mesh: Arc<Mesh>,
    pub(crate) context: cuda::Handle,
    pub(crate) device: c_int,
    /// Held while calls are queued, so that numbers are in the streams' order.
    pub(crate) state: Mutex<State>,
}

pub(crate) struct State {
    /// Calls of all ranks so far.
    calls: u64,
    /// Messages to each rank so far.
    sends: Vec<u64>,
    /// Messages from each rank so far.
    receives: Vec<u64>,
    pending: Vec<Pending>,
    is_finalized: bool,
}

impl State {
    /// The number of a call.
    pub(crate) fn number(&mut self, call: Call) -> u64 {
        let counter = match call.kind {
            Kind::Send(peer) => self.sends.get_mut(peer),
            Kind::Receive(peer) => self.receives.get_mut(peer),
            _ => Some(&mut self.calls),
        };
        counter.map_or(0, |counter| {
            *counter += 1;
            *counter
        })
    }

    /// Keeps what a launch needs until it is over, and frees what is.
    pub(crate) fn keep(&mut self, new: Pending) {
        self.pending.push(new);
        let (over, under_way) = std::mem::take(&mut self.pending).into_iter().partition(Pending::is_over);
        self.pending = under_way;
        let over: Vec<Pending> = over;
        over.into_iter().for_each(Pending::free);
    }
}

impl Communicator {
    /// Waits until all ranks have come.
    pub(crate) fn start(name: &str, rank: usize, size: usize, context: cuda::Handle) -> Result<Self, Error> {
        let patience = settings::patience()?;
        let cuda = cuda()?;
        let (device, uuid) = cuda.within(context, || cuda.device())?;
        let mesh = Arc::new(Mesh::connect(name, Member { rank, size, uuid }, patience)?);
        let state = State {
            calls: 0,
            sends: vec![0; size],
            receives: vec![0; size],
            pending: Vec::new(),
            is_finalized: false,
        };
        Ok(Self { mesh, context, device, state: Mutex::new(state) })
    }

    /// # Errors
    /// If an earlier call failed, or this was finalized.
    pub(crate) fn ensure_ready(&self) -> Result<(), Error> {
        if let Some(error) = self.mesh.stopped() {
            return Err(error);
        }
        if lock(&self.state).is_finalized {
            Err(Error::usage("the communicator was finalized"))
        } else {
            Ok(())
        }
    }

    /// Waits until all that was launched is over.
    pub(crate) fn finalize(&self) -> Result<(), Error> {
        let pending = {
            let mut state = lock(&self.state);
            state.is_finalized = true;
            std::mem::take(&mut state.pending)
        };
        cuda()?.within(self.context, || {
            for launch in pending {
                launch.wait();
                launch.free();
            }
            Ok(())
        })
    }

    /// Checks a call's buffers and stream.
    pub(crate) fn check(&self, call: Call, buffers: Buffers) -> Result<Launch, Error> {
        let cuda = cuda()?;
        let (input, output) = call.bytes(self.mesh.rank, self.mesh.size)?;
        if cuda.within(self.context, || cuda.stream_context(buffers.stream))? != self.context {
            return Err(Error::argument("the stream is of another device than the communicator"));
        }
        for (what, address, bytes) in
            [("sendbuff", buffers.input, input), ("recvbuff", buffers.output, output)]
        {
            if bytes > 0 {
                cuda.check_buffer(what, address, bytes, self.device)?;
            }
        }
        Ok(Launch { call, buffers, input, output })
    }
}

/// Addresses that a call is given, and its stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) stream: cuda::Handle,
}
