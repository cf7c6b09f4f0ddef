use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gridwright::{Device, DeviceKind};

use crate::call::{Call, Collective};
use crate::communicator::Shared;
use crate::control::{Hub, Link};
use crate::engine::mpi::Process;
use crate::engine::{Alone, Choice, Engine, choose, nccl};
use crate::launcher::Launcher;
use crate::sentinel::Sentinel;
use crate::settings::Settings;
use crate::{Communicator, Error};

/// Whether the process had a world: MPI is started once.
static HAD_WORLD: AtomicBool = AtomicBool::new(false);

/// Bytes of the text by which rank 0 says where it listens: an address and a token.
const MEETING_BYTES: usize = 128;

/// Address that nothing answers at, of those reserved for documents (RFC 5737): to ask the system which of its own it would send from.
const ELSEWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9);

/// All processes that a launcher started together, the ranks.
///
/// Dropped, with the last of its communicators, it leaves: all ranks drop theirs when they are done. A process has one in its life.
///
/// ```
/// use gridwright_comm::World;
///
/// let world = World::from_env()?;
/// println!("rank {} of {}", world.rank(), world.size());
/// # Ok::<(), gridwright_comm::Error>(())
/// ```
///
/// # From MPI
/// `MPI_Init_thread` and `MPI_COMM_WORLD`; dropping it is `MPI_Finalize`.
pub struct World(Arc<Inner>);

/// What the world and its communicators keep.
pub(crate) struct Inner {
    pub(crate) place: Place,
    pub(crate) settings: Settings,
    pub(crate) link: Option<Arc<Link>>,
    pub(crate) sentinel: Option<Sentinel>,
    /// Communicators so far.
    communicators: AtomicU32,
    hub: Mutex<Option<Hub>>,
    mpi: Option<Process>,
}

/// Where a rank stands among the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    local_rank: usize,
    local_size: usize,
}

impl Place {
    const ALONE: Self = Self { rank: 0, size: 1, local_rank: 0, local_size: 1 };
}

impl World {
    /// The world that the program was started in, as the environment says: by an MPI launcher such as `mpirun` or `srun`; by one that sets
    /// `RANK`, `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT`, as `torchrun` does; or by nobody, which makes a world of one rank.
    ///
    /// All ranks call it. `GRIDWRIGHT_COMM_CHECKS` (1 or 0; 1 in debug builds without it) says whether ranks compare what they call,
    /// `GRIDWRIGHT_COMM_TIME_LIMIT_S` how many seconds they wait for each other then (60).
    ///
    /// # Errors
    /// [`Error::EngineMissing`] or [`Error::EngineUnknown`] for an MPI that isn't there or isn't known; [`Error::Missing`] or
    /// [`Error::Control`] where a rank doesn't come; [`Error::SecondWorld`]; [`Error::Environment`].
    ///
    /// ```
    /// use gridwright_comm::{Error, World};
    ///
    /// let world = World::from_env()?;
    /// assert!(world.rank() < world.size());
    /// assert!(matches!(World::from_env(), Err(Error::SecondWorld)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Init_thread`.
    pub fn from_env() -> Result<Self, Error> {
        let settings = Settings::from_env()?;
        let launcher = Launcher::from_env()?;
        if HAD_WORLD.swap(true, Ordering::Relaxed) {
            return Err(Error::SecondWorld);
        }
        let world = match launcher {
            Launcher::None => Ok(Self::alone(settings)),
            Launcher::Mpi => Self::of_mpi(settings),
            Launcher::Address { rank, size, local_rank, local_size, address } => {
                Self::at(address, Place { rank, size, local_rank, local_size }, settings)
            }
        };
        if world.is_err() {
            // Whoever sees to what was missing may try again.
            HAD_WORLD.store(false, Ordering::Relaxed);
        }
        world
    }

    fn alone(settings: Settings) -> Self {
        Self(Arc::new(Inner {
            place: Place::ALONE,
            settings,
            link: None,
            sentinel: None,
            communicators: AtomicU32::new(0),
            hub: Mutex::new(None),
            mpi: None,
        }))
    }

    fn at(address: SocketAddr, place: Place, settings: Settings) -> Result<Self, Error> {
        // Worlds of other sizes at the same address are others.
        let token = place.size as u64;
        let any = if address.ip().is_loopback() { address.ip() } else { unspecified(address.ip()) };
        let listens = SocketAddr::new(any, address.port());
        let limit = settings.time_limit;
        let hub = if place.rank == 0 { Some(Hub::start(listens, place.size, token, limit)?) } else { None };
        let link = Link::connect(address, place.rank, token, limit)?;
        Ok(Self::linked(place, settings, link, hub, None))
    }

    fn of_mpi(settings: Settings) -> Result<Self, Error> {
        let process = Process::start()?;
        let &Process { rank, size, local_rank, local_size, .. } = &process;
        let limit = settings.time_limit;
        let mut meeting = [b' '; MEETING_BYTES];
        let mut hub = None;
        if rank == 0 {
            let token = RandomState::new().hash_one(std::process::id());
            let at = if local_size == size { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { own_address() };
            let listens = if at.is_loopback() { at } else { unspecified(at) };
            let started = Hub::start(SocketAddr::new(listens, 0), size, token, limit)?;
            let text = format!("{} {token}", SocketAddr::new(at, started.address().port()));
            meeting.iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte);
            hub = Some(started);
        }
        process.broadcast(&mut meeting)?;
        let text = String::from_utf8_lossy(&meeting);
        let mut words = text.split_whitespace();
        let (address, token) = (words.next().map(str::parse), words.next().map(str::parse));
        let (Some(Ok(address)), Some(Ok(token))) = (address, token) else {
            let what = format!("rank 0 says that it listens at `{}`", text.trim());
            return Err(Error::Control { what });
        };
        let link = Link::connect(address, rank, token, limit)?;
        let place = Place { rank, size, local_rank, local_size };
        Ok(Self::linked(place, settings, link, hub, Some(process)))
    }

    fn linked(place: Place, settings: Settings, link: Link, hub: Option<Hub>, mpi: Option<Process>) -> Self {
        if let Some(process) = &mpi {
            link.go_on_with(process.progress());
        }
        let sentinel = Some(Sentinel::new(place.rank, link.watch(u32::MAX)));
        let (link, hub, communicators) = (Some(Arc::new(link)), Mutex::new(hub), AtomicU32::new(0));
        Self(Arc::new(Inner { place, settings, link, sentinel, communicators, hub, mpi }))
    }

    /// The number of this process among all, from 0.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// let world = World::from_env()?;
    /// assert!(world.rank() < world.size());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Comm_rank`.
    pub fn rank(&self) -> usize {
        self.0.place.rank
    }

    /// The number of ranks.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// assert!(World::from_env()?.size() >= 1);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Comm_size`.
    pub fn size(&self) -> usize {
        self.0.place.size
    }

    /// The number of this process among those of its machine.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// let world = World::from_env()?;
    /// assert!(world.local_rank() < world.local_size());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// The rank in what `MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED` gives.
    pub fn local_rank(&self) -> usize {
        self.0.place.local_rank
    }

    /// The number of ranks on this machine.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// let world = World::from_env()?;
    /// assert!(world.local_size() <= world.size());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// The size of what `MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED` gives.
    pub fn local_size(&self) -> usize {
        self.0.place.local_size
    }

    /// This rank's own device: of the GPUs of a kind the one with the number of the local rank; without GPUs, the CPU.
    ///
    /// `GRIDWRIGHT_DEVICE` names the kind (`cpu`, `cuda`, `hip`, `emulator`). With an index it names one device for all ranks. Ranks on the CPU
    /// share its cores: say with `GRIDWRIGHT_CPU_THREADS` how many threads each has.
    ///
    /// # Errors
    /// [`Error::TooManyRanks`] if there are fewer GPUs of the kind than ranks on this machine; those of [`Device::from_env`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// println!("{}", World::from_env()?.device()?.name());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaSetDevice(local_rank)`.
    pub fn device(&self) -> Result<Device, Error> {
        let named = std::env::var("GRIDWRIGHT_DEVICE").unwrap_or_default();
        match named.as_str() {
            "cuda" => self.device_of(DeviceKind::Cuda, Device::cuda),
            "hip" => self.device_of(DeviceKind::Hip, Device::hip),
            "" => match Device::from_env()?.kind() {
                DeviceKind::Cuda => self.device_of(DeviceKind::Cuda, Device::cuda),
                DeviceKind::Hip => self.device_of(DeviceKind::Hip, Device::hip),
                _ => Ok(Device::cpu()?),
            },
            _ => Ok(Device::from_env()?),
        }
    }

    fn device_of(
        &self,
        kind: DeviceKind,
        open: impl Fn(usize) -> Result<Device, gridwright::Error>,
    ) -> Result<Device, Error> {
        let error = match open(self.0.place.local_rank) {
            Ok(device) => return Ok(device),
            Err(error) => error,
        };
        let devices = (0..self.0.place.local_rank).take_while(|&index| open(index).is_ok()).count();
        if devices == 0 || !matches!(error, gridwright::Error::NoDevice { .. }) {
            return Err(error.into());
        }
        Err(Error::TooManyRanks {
            rank: self.0.place.rank,
            ranks: self.0.place.local_size,
            devices,
            kind: kind.to_string(),
        })
    }

    /// A communicator of all ranks, each with a device. All ranks call it, in one order with other calls of this kind.
    ///
    /// # Errors
    /// [`Error::NoEngine`] if nothing moves bytes between such devices in such a world; [`Error::Mismatch`] if ranks have devices of several kinds;
    /// [`Error::Missing`] and [`Error::Died`] where a rank doesn't call it; [`Error::Engine`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// let world = World::from_env()?;
    /// let communicator = world.communicator(&world.device()?)?;
    /// assert_eq!(communicator.size(), world.size());
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Comm_dup`; of NCCL `ncclCommInitRank`.
    pub fn communicator(&self, device: &Device) -> Result<Communicator, Error> {
        let number = self.0.communicators.fetch_add(1, Ordering::Relaxed);
        let Place { rank, size, .. } = self.0.place;
        let mpi = &self.0.mpi;
        let engine = match &self.0.link {
            None => Engine::Host(Box::new(Alone)),
            Some(link) => {
                let kind = device.kind();
                let choice = choose(rank, kind, mpi.is_some())?;
                // Always, and not only with checks: an engine that waits for a rank in vain has no time limit.
                let devices = format!("{kind} devices by {}", choice.kind());
                let call = Call { collective: Collective::New(devices), element: "".into(), len: 0 };
                link.enter(number, &call).map_err(|trouble| trouble.at(rank))?;
                match (choice, mpi) {
                    (Choice::Mpi, Some(process)) => {
                        Engine::Host(Box::new(process.group(link.watch(number))?))
                    }
                    (Choice::Mpi, None) => {
                        let (kind, reason) = (kind.to_string(), "start the program with `mpirun`");
                        return Err(Error::NoEngine { rank, kind, reason });
                    }
                    (Choice::Nccl(library), _) => {
                        let stream = device.stream()?;
                        Engine::Device(Box::new(nccl::Group::new(
                            library,
                            &stream,
                            link,
                            number,
                            (rank, size),
                        )?))
                    }
                }
            }
        };
        Communicator::new(Shared::new(number, engine, Arc::clone(&self.0)), device.clone())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let Some(link) = self.link.take() else { return };
        let is_whole = !link.has_died();
        if let Some(sentinel) = self.sentinel.take() {
            sentinel.end();
        }
        link.leave();
        let hub = self.hub.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(hub) = hub {
            let progress = self.mpi.as_ref().map(Process::progress);
            hub.end(self.settings.time_limit, || {
                if let Some(progress) = &progress {
                    progress();
                }
            });
        }
        // MPI's end waits for all ranks: where one has ended it would wait for ever.
        if let Some(process) = self.mpi.take().filter(|_| is_whole) {
            process.end();
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { place, settings, .. } = &*self.0;
        f.debug_struct("World").field("place", place).field("settings", settings).finish_non_exhaustive()
    }
}

/// The address that this machine sends from.
fn own_address() -> IpAddr {
    let any = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
    // Nothing is sent: the system only looks up its routes.
    let asked = UdpSocket::bind(any).and_then(|socket| {
        socket.connect(ELSEWHERE)?;
        socket.local_addr()
    });
    asked.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

/// All addresses of a machine, of the same kind.
fn unspecified(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED),
    }
}
