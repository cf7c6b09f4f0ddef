//! Several devices: copies between them, and kernels that reach another's memory.

use std::sync::MutexGuard;

use crate::accesses::PeerAccess;
use crate::host_memory::zeros;
use crate::profile::Piece;
use crate::submission::{Direction, Launch};
use crate::transfer::Region;
use crate::{Activity, Device, Error, Stream};

impl Device {
    /// Whether [`enable_peer_access`](Self::enable_peer_access) lets kernels of this device reach the memory of another: for
    /// two NVIDIA GPUs, if the hardware connects them so; for the CPU, if the other is the CPU too.
    ///
    /// # Errors
    /// On a GPU [`Error::DeviceLost`] or [`Error::Backend`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// let (one, another) = (Device::cpu()?, Device::cpu()?);
    /// assert!(one.can_access_peer(&another)?);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaDeviceCanAccessPeer`.
    pub fn can_access_peer(&self, other: &Self) -> Result<bool, Error> {
        if self.is(other) { Ok(true) } else { self.backend().can_access_peer(other.backend()) }
    }

    /// Lets kernels of this device be launched with buffers of another, which they reach where they are: from here on, and
    /// in this direction only. Without it such a launch is an [`Error::ForeignBuffer`]. To do it again changes nothing.
    ///
    /// Launches wait for the work on both devices that uses these buffers, and later work there for them, as if there were
    /// one. [`Stream::copy`] between devices doesn't need it. A graph is of one device, and takes no other's buffers.
    ///
    /// # Errors
    /// [`Error::PeerAccess`] where it can't; [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn add(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y += x[t.index()];
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let (one, another) = (Device::cpu()?, Device::cpu()?);
    /// let (stream, of_another) = (one.stream()?, another.stream()?);
    /// let x = of_another.upload(&[1.0; 10])?;
    /// let mut y = stream.upload(&[2.0; 10])?;
    /// one.enable_peer_access(&another)?;
    /// add::load(&one)?.launch(&stream, LaunchConfig::threads(10), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [3.0; 10]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaDeviceEnablePeerAccess`. To enable it again is no error.
    pub fn enable_peer_access(&self, other: &Self) -> Result<(), Error> {
        if self.is(other) {
            return Ok(());
        }
        if !self.can_access_peer(other)? {
            return Err(Error::PeerAccess {
                device: self.identity(),
                peer: other.identity(),
                reason: "nothing connects the two".into(),
            });
        }
        self.backend().enable_peer_access(other.backend())?;
        self.add_peer(other);
        Ok(())
    }
}

impl Stream {
    /// Copies between two devices, of which one is the stream's. There is at least a byte, and as many in both.
    pub(crate) fn copy_between(&self, from: &Region<'_>, to: &Region<'_>, bytes: usize) -> Result<(), Error> {
        let (direction, peer) =
            if self.device().is(from.device) { (Direction::ToPeer, to) } else { (Direction::FromPeer, from) };
        let (backend, of_peer) = (self.device().backend(), peer.device.backend());
        let own = if direction == Direction::ToPeer { from } else { to };
        let timing = self.timing(&[own.access()], || Piece::moves(Activity::CopyBetweenDevices, bytes));
        let turn = peer.place.is_shared.then(|| of_peer.turn_of_peers());
        // SAFETY: both have as many bytes, of two devices; `to` is borrowed mutably, and replays of the peer's are kept away.
        let copied =
            unsafe { backend.copy_with_peer(self.id(), of_peer, direction, from.place, to.place, bytes) }?;
        // The other way takes it by itself.
        drop(turn);
        if copied {
            timing.end();
            return Ok(());
        }
        drop(timing);
        self.copy_by_host(from, to, bytes)
    }

    /// Copies through the host, which waits for what the devices have to do.
    fn copy_by_host(&self, from: &Region<'_>, to: &Region<'_>, bytes: usize) -> Result<(), Error> {
        let address = |region: &Region<'_>| {
            // Where graphs use it too, its own backend has to copy.
            if region.place.is_shared { None } else { region.device.backend().host_address(region.place) }
        };
        match (address(from), address(to)) {
            (Some(from), _) => {
                // SAFETY: the host reaches as many bytes there, for which nothing has to be waited, and which are borrowed.
                self.write_to(to, unsafe { std::slice::from_raw_parts(from.as_ptr(), bytes) })
            }
            (None, Some(to)) => {
                // SAFETY: the host reaches as many bytes there, for which nothing has to be waited, and which are borrowed mutably.
                self.read_from(from, unsafe { std::slice::from_raw_parts_mut(to.as_ptr(), bytes) })
            }
            (None, None) => {
                let mut staged = zeros::<u8>(bytes)?;
                self.read_from(from, &mut staged)?;
                self.write_to(to, &staged)
            }
        }
    }

    /// Writes bytes to a region, which has as many.
    fn write_to(&self, region: &Region<'_>, bytes: &[u8]) -> Result<(), Error> {
        let stream = self.of(region.device)?;
        // SAFETY: there is room, in memory that is borrowed mutably.
        region.device.waiting("copy", || unsafe { stream.write_bytes(region, bytes) })
    }

    /// Reads the bytes of a region, which has as many.
    fn read_from(&self, region: &Region<'_>, bytes: &mut [u8]) -> Result<(), Error> {
        let stream = self.of(region.device)?;
        // SAFETY: as many bytes are there, in memory that is borrowed.
        region.device.waiting("copy", || unsafe { stream.read_bytes(region, bytes) })?;
        region.device.host_panics().report()
    }

    /// Launches a kernel that uses other devices' memory.
    ///
    /// # Safety
    /// As [`Backend::launch_with_peers`](crate::backend::Backend::launch_with_peers) asks, but replays that use the memory are
    /// kept away here.
    pub(crate) unsafe fn launch_with_peers(
        &self,
        launch: &Launch<'_>,
        peers: &[PeerAccess],
    ) -> Result<(), Error> {
        let own = launch.is_shared.then(|| self.device());
        let shared = peers.iter().filter(|peer| peer.is_shared).map(|peer| &peer.device);
        let _turns = turns(shared.chain(own).collect());
        let launch = Launch { is_shared: false, ..*launch };
        let peers: Vec<_> = peers.iter().map(PeerAccess::of_backend).collect();
        // SAFETY: the caller checked the launch, whose own memory is in its accesses and others' in `peers`; turns keep replays away.
        unsafe { self.device().backend().launch_with_peers(self.id(), &launch, &peers) }
    }

    /// This stream, or one of another device's that has nothing to do.
    fn of(&self, device: &Device) -> Result<Self, Error> {
        if self.device().is(device) { Ok(self.clone()) } else { device.stream() }
    }
}

/// The turns of several devices, which everybody takes in one order, so that nobody waits in a circle.
fn turns(mut devices: Vec<&Device>) -> Vec<MutexGuard<'_, ()>> {
    devices.sort_by_key(|device| device.number());
    devices.dedup_by_key(|device| device.number());
    devices.into_iter().map(|device| device.backend().turn_of_peers()).collect()
}
