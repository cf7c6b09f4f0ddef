//! Collective calls and messages.

use std::ffi::c_int;
use std::sync::Arc;

use crate::communicator::{Buffers, Communicator};
use crate::cuda;
use crate::error::Error;
use crate::group;
use crate::number::{DataType, Operator};
use crate::operation::{Call, Kind};
use crate::registry::{self, Handle};

/// A rank that a call names.
fn rank(communicator: &Communicator, what: &str, rank: c_int) -> Result<usize, Error> {
    let size = communicator.mesh.size;
    let known = usize::try_from(rank).ok().filter(|&rank| rank < size);
    known.ok_or_else(|| {
        Error::argument(format!("invalid {what} {rank} (not in 0..{})", size.saturating_sub(1)))
    })
}

fn call(
    communicator: Handle,
    count: usize,
    data_type: c_int,
    buffers: Buffers,
    kind: impl FnOnce(&Communicator, DataType) -> Result<Kind, Error>,
) -> Result<(), Error> {
    let communicator: Arc<Communicator> = registry::find(communicator)?;
    group::add(&communicator, || {
        communicator.ensure_ready()?;
        let data_type = DataType::of(data_type)?;
        let kind = kind(&communicator, data_type)?;
        let launch = communicator.check(Call { kind, count, data_type }, buffers)?;
        // Nothing is exchanged for a collective call of nothing. A message of nothing is one.
        let is_needed = count > 0 || matches!(kind, Kind::Send(_) | Kind::Receive(_));
        Ok(is_needed.then_some(launch))
    })
}

nccl! {
    /// Reduces elements of all ranks, to each.
    fn ncclAllReduce(
        input: u64,
        output: u64,
        count: usize,
        data_type: c_int,
        operator: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output, stream }, |_, data_type| {
            Ok(Kind::AllReduce(Operator::of(operator, data_type)?))
        })
    }

    /// Reduces elements of all ranks, to one.
    fn ncclReduce(
        input: u64,
        output: u64,
        count: usize,
        data_type: c_int,
        operator: c_int,
        root: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output, stream }, |communicator, data_type| {
            Ok(Kind::Reduce(Operator::of(operator, data_type)?, rank(communicator, "root", root)?))
        })
    }

    /// Copies one rank's elements to each.
    fn ncclBroadcast(
        input: u64,
        output: u64,
        count: usize,
        data_type: c_int,
        root: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output, stream }, |communicator, _| {
            Ok(Kind::Broadcast(rank(communicator, "root", root)?))
        })
    }

    /// Copies all ranks' elements to each, in the order of ranks.
    fn ncclAllGather(
        input: u64,
        output: u64,
        count: usize,
        data_type: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output, stream }, |_, _| Ok(Kind::AllGather))
    }

    /// Reduces elements of all ranks, and gives each rank its part.
    fn ncclReduceScatter(
        input: u64,
        output: u64,
        count: usize,
        data_type: c_int,
        operator: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output, stream }, |_, data_type| {
            Ok(Kind::ReduceScatter(Operator::of(operator, data_type)?))
        })
    }

    /// Sends elements to a rank.
    fn ncclSend(
        input: u64,
        count: usize,
        data_type: c_int,
        peer: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input, output: 0, stream }, |communicator, _| {
            Ok(Kind::Send(rank(communicator, "peer", peer)?))
        })
    }

    /// Receives elements of a rank.
    fn ncclRecv(
        output: u64,
        count: usize,
        data_type: c_int,
        peer: c_int,
        communicator: Handle,
        stream: cuda::Handle,
    ) {
        call(communicator, count, data_type, Buffers { input: 0, output, stream }, |communicator, _| {
            Ok(Kind::Receive(rank(communicator, "peer", peer)?))
        })
    }
}
