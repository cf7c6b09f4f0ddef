use super::{Backend, Launches};
use crate::Error;
use crate::submission::{Access, Direction, Launch, Place, StreamId};

/// A use of another device's memory by a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerUse<'p> {
    pub(crate) peer: &'p dyn Backend,
    pub(crate) access: Access,
}

/// What several devices of one kind do together. Unless a backend says otherwise, nothing.
pub(crate) trait Peers: Launches {
    /// Copies at least a byte between this device and another, in the order of a stream of this one, and of the uses of the
    /// memory on both. `false` where the two have no way to, and the bytes go through the host.
    ///
    /// # Safety
    /// As for [`copy`](super::DeviceMemory::copy); `direction` says which of the two is this device's memory.
    unsafe fn copy_with_peer(
        &self,
        _stream: StreamId,
        _peer: &dyn Backend,
        _direction: Direction,
        _from: Place,
        _to: Place,
        _bytes: usize,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    /// Whether kernels of this device can be let reach another's memory.
    fn can_access_peer(&self, _peer: &dyn Backend) -> Result<bool, Error> {
        Ok(false)
    }

    /// Lets kernels of this device reach another's memory, which it can. Once or more often.
    fn enable_peer_access(&self, _peer: &dyn Backend) -> Result<(), Error> {
        Ok(())
    }

    /// Runs a kernel that also uses memory of other devices, in the order of its uses there.
    ///
    /// # Safety
    /// As for [`launch`](Launches::launch), but that memory of other devices is in `peers`. Access to them is enabled.
    unsafe fn launch_with_peers(
        &self,
        stream: StreamId,
        launch: &Launch<'_>,
        _peers: &[PeerUse<'_>],
    ) -> Result<(), Error> {
        // SAFETY: `launch` asks the same of the launch itself. Memory of other devices is borrowed until this returns, when the work
        // is done; a backend whose work goes on has a method of its own.
        unsafe { self.launch(stream, launch) }
    }
}
