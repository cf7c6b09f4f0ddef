//! Communicators from their id to their end, and what they say of themselves.

use std::ffi::c_int;

use crate::abi::{Out, UniqueId};
use crate::cuda::cuda;
use crate::error::Error;
use crate::group::{self, Start};
use crate::registry::{self, Handle};
use crate::rendezvous;

/// NCCL 2.27.7, the first for CUDA 13.
const VERSION: c_int = 22_707;

nccl! {
    /// The version, as the number that `NCCL_VERSION` makes.
    fn ncclGetVersion(version: Out<c_int>) {
        version.put(VERSION)
    }

    /// An id that one rank makes and gives to all.
    fn ncclGetUniqueId(id: Out<UniqueId>) {
        id.put(rendezvous::open()?)
    }

    /// Makes the communicator of a rank, and waits until all ranks have come.
    fn ncclCommInitRank(communicator: Out<Handle>, size: c_int, id: UniqueId, rank: c_int) {
        communicator.put(Handle::NULL)?;
        let context = cuda()?.context()?;
        let invalid = || Error::argument(format!("invalid rank requested : {rank}/{size}"));
        let size = usize::try_from(size).ok().filter(|&size| size > 0).ok_or_else(invalid)?;
        let rank = usize::try_from(rank).ok().filter(|&rank| rank < size).ok_or_else(invalid)?;
        let name = rendezvous::name(&id)?;
        let handle = registry::reserve();
        communicator.put(handle)?;
        let started = group::add_start(Start { handle, name, rank, size, context });
        started.or_else(|error| communicator.put(Handle::NULL).and(Err(error)))
    }

    /// Waits until all calls are done.
    fn ncclCommFinalize(communicator: Handle) {
        if communicator.is_null() {
            return Ok(());
        }
        let communicator = registry::find(communicator)?;
        communicator.ensure_ready()?;
        communicator.finalize()
    }

    /// Waits until all calls are done, and frees the communicator.
    fn ncclCommDestroy(communicator: Handle) {
        if communicator.is_null() {
            return Ok(());
        }
        registry::find(communicator)?;
        registry::remove(communicator).map_or(Ok(()), |communicator| communicator.finalize())
    }

    /// Ends all calls, done or not, and frees the communicator.
    fn ncclCommAbort(communicator: Handle) {
        if communicator.is_null() {
            return Ok(());
        }
        let aborted = registry::find(communicator)?;
        registry::remove(communicator);
        aborted.mesh.stop(Error::remote("the communicator was aborted"));
        aborted.finalize()
    }

    /// The number of ranks.
    fn ncclCommCount(communicator: Handle, count: Out<c_int>) {
        count.put(registry::find(communicator)?.mesh.size as c_int)
    }

    /// The number of the rank's device.
    fn ncclCommCuDevice(communicator: Handle, device: Out<c_int>) {
        device.put(registry::find(communicator)?.device)
    }

    /// The rank.
    fn ncclCommUserRank(communicator: Handle, rank: Out<c_int>) {
        rank.put(registry::find(communicator)?.mesh.rank as c_int)
    }

    /// The error of a call that was begun, if there was one.
    fn ncclCommGetAsyncError(communicator: Handle, error: Out<c_int>) {
        let stopped = registry::find(communicator)?.mesh.stopped();
        error.put(stopped.map_or(0, |error| error.code.number()))
    }
}
