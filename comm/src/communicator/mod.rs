//! Calls among ranks.
//!
//! | module | what it holds |
//! |---|---|
//! | `shared` | what calls under way have of their communicator |
//! | `collectives` | calls of all ranks |
//! | `messages` | calls of two ranks, alone and in groups |

mod collectives;
mod messages;
mod shared;

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gridwright::launch::{CpuArguments, DriverArguments, InOrder};
use gridwright::{Buffer, Device, DeviceKind, Stream};

pub use messages::Messages;
pub(crate) use shared::Shared;

use shared::Returned;

use crate::control::{Link, Trouble};
use crate::engine::{DeviceEngine, HostEngine};
use crate::{EngineKind, Error};

/// All ranks of a world, each with a device, and what they tell each other.
///
/// Every rank makes the same calls in the same order. A call is in the order of its stream: it works on what was submitted before, and what is
/// submitted later works on its result. Nobody waits for a stream by hand, and nobody else uses the buffers meanwhile. On the CPU a call has
/// finished when it returns. A communicator makes one call at a time, whichever threads they come from.
///
/// With checks (see [`World::from_env`](crate::World::from_env)), a difference between ranks is an error of the call on every rank. After an error
/// that isn't of one rank's arguments, the communicator is broken, and its calls return the same error.
///
/// Calls are captured into graphs as launches are. Each replay makes them again, on every rank.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::{Error, World};
///
/// # fn main() -> Result<(), Error> {
/// let world = World::from_env()?;
/// let device = world.device()?;
/// let communicator = world.communicator(&device)?;
/// let stream = device.stream()?;
///
/// let mut parameters = stream.upload(&[0.5_f32; 100])?;
/// communicator.broadcast(&stream, &mut parameters, 0)?;
/// # Ok(())
/// # }
/// ```
///
/// # From MPI
/// `MPI_Comm`; of NCCL `ncclComm_t`.
#[derive(Debug)]
pub struct Communicator {
    shared: Arc<Shared>,
    device: Device,
    /// Memory that calls count as writing, so that those on several streams of a GPU come in the order in which they were made. On the CPU they have
    /// finished by the next.
    order: Option<Arc<Mutex<Buffer<u8>>>>,
}

impl Communicator {
    pub(crate) fn new(shared: Shared, device: Device) -> Result<Self, Error> {
        let order = match device.kind() {
            DeviceKind::Cpu => None,
            _ => Some(Arc::new(Mutex::new(device.stream()?.alloc_zeroed(1)?))),
        };
        Ok(Self { shared: Arc::new(shared), device, order })
    }

    /// Has an engine work on the host's memory, in the order of the stream and of the communicator's calls. `call` is what it is told, once ranks
    /// have compared it.
    fn on_host<A: CpuArguments, C: Send + 'static>(
        &self,
        stream: &Stream,
        call: C,
        arguments: A,
        compare: impl Fn(&C, &Link, u32) -> Result<(), Trouble> + Send + 'static,
        work: impl Fn(&C, &dyn HostEngine, A::Views<'_>) -> Result<(), Trouble> + Send + 'static,
    ) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let Some(order) = &self.order else {
            Returned::by_call(|returned| {
                // It returns what went wrong: it waits.
                stream.on_cpu(arguments, move |_, views| {
                    shared.on_host(
                        &returned,
                        |link, number| compare(&call, link, number),
                        |engine| work(&call, engine, views),
                    );
                })
            })?;
            return self.shared.result();
        };
        let mut order = order.lock().unwrap_or_else(PoisonError::into_inner);
        let has_returned = Arc::<AtomicBool>::default();
        let returned = Returned::If(Arc::clone(&has_returned));
        stream.on_host((arguments, InOrder(&mut *order)), move |(views, _)| {
            shared.on_host(
                &returned,
                |link, number| compare(&call, link, number),
                |engine| work(&call, engine, views),
            );
        })?;
        has_returned.store(true, Ordering::Release);
        self.shared.result()
    }

    /// Has an engine give a driver's stream work on the device's memory. `work` gets the addresses, a byte for what has no memory of its own, and
    /// the driver's stream.
    fn on_device<A: DriverArguments>(
        &self,
        stream: &Stream,
        call: &'static str,
        arguments: A,
        compare: impl FnOnce(&Link, u32) -> Result<(), Trouble>,
        work: impl FnOnce(&dyn DeviceEngine, A::Addresses, *mut [u8], *mut c_void) -> Result<(), Trouble>,
    ) -> Result<(), Error> {
        let Some(order) = &self.order else { return Ok(()) };
        let mut order = order.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: engines give the stream work on the lent memory alone, and write only what is borrowed mutably.
        let given = unsafe {
            stream.with_driver((arguments, &mut *order), |stream, (addresses, byte)| {
                self.shared.on_device(compare, |engine| work(engine, addresses, byte, stream.handle()))
            })
        };
        match given {
            Err(gridwright::Error::CaptureBroken { .. }) => {
                let (rank, engine) = (self.rank(), self.engine().name());
                return Err(Error::NotForGraphs { rank, call, engine });
            }
            given => given??,
        }
        if self.shared.checks {
            // Work that was given up, as a rank ended, is told to who waits for it.
            let shared = Arc::clone(&self.shared);
            stream.host(move || {
                shared.look();
                shared.tell(&Returned::If(Arc::new(true.into())));
            })?;
        }
        Ok(())
    }

    /// The number of this rank.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// let communicator = world.communicator(&world.device()?)?;
    /// assert_eq!(communicator.rank(), world.rank());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Comm_rank`; of NCCL `ncclCommUserRank`.
    pub fn rank(&self) -> usize {
        self.shared.rank
    }

    /// The number of ranks.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// let communicator = world.communicator(&world.device()?)?;
    /// assert_eq!(communicator.size(), world.size());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Comm_size`; of NCCL `ncclCommCount`.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// This rank's device.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// let device = world.device()?;
    /// assert_eq!(world.communicator(&device)?.device().name(), device.name());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From NCCL
    /// `ncclCommCuDevice`.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The library that moves the bytes.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// println!("by {}", world.communicator(&world.device()?)?.engine());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn engine(&self) -> EngineKind {
        self.shared.engine.kind()
    }

    /// Whether all calls so far went well that have been made: of a GPU's, what the host was told by now.
    ///
    /// # Errors
    /// The first error among the ranks.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// world.communicator(&world.device()?)?.check()?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From NCCL
    /// `ncclCommGetAsyncError`.
    pub fn check(&self) -> Result<(), Error> {
        self.shared.result()
    }

    /// Another handle of this communicator, for what keeps one.
    pub(crate) fn share(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), device: self.device.clone(), order: self.order.clone() }
    }

    pub(crate) fn check_stream(&self, stream: &Stream) -> Result<(), Error> {
        if stream.device().is_same(&self.device) {
            return Ok(());
        }
        Err(Error::ForeignStream {
            rank: self.rank(),
            stream_device: stream.device().name().into(),
            device: self.device.name().into(),
        })
    }

    pub(crate) fn check_rank(&self, call: &'static str, given: usize) -> Result<(), Error> {
        let size = self.size();
        if given < size { Ok(()) } else { Err(Error::NoSuchRank { rank: self.rank(), call, given, size }) }
    }

    fn check_len(
        &self,
        call: &'static str,
        what: &'static str,
        expected: usize,
        given: usize,
    ) -> Result<(), Error> {
        if given == expected {
            return Ok(());
        }
        Err(Error::Lengths { rank: self.rank(), call, what, expected, given })
    }
}
