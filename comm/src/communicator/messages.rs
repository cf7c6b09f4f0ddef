use std::any::type_name;
use std::fmt;

use gridwright::Stream;
use gridwright::launch::{MemoryBytes, MemoryBytesMut};
use gridwright::memory::{ReadFrom, WriteTo};

use crate::call::{Message, Way};
use crate::control::Link;
use crate::engine::Engine;
use crate::{Communicator, Error};

impl Communicator {
    /// Sends elements to another rank, which calls [`receive`](Self::receive) with as many.
    ///
    /// It may wait until that rank receives them. Two ranks that send to each other before they receive may wait for each other in vain: send and receive
    /// in a [`group`](Self::group).
    ///
    /// # Errors
    /// [`Error::NoSuchRank`], [`Error::TooManyElements`], [`Error::ForeignStream`], [`gridwright::Error::ForeignBuffer`], and what goes wrong among ranks:
    /// [`Error::Mismatch`], [`Error::Missing`], [`Error::Died`], [`Error::Engine`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = stream.upload(&[1, 2, 3])?;
    /// if world.size() > 1 {
    ///     match world.rank() {
    ///         0 => communicator.send(&stream, &x, 1)?,
    ///         1 => communicator.receive(&stream, &mut x, 0)?,
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Send`; of NCCL `ncclSend`.
    pub fn send<B: ReadFrom>(&self, stream: &Stream, elements: &B, to: usize) -> Result<(), Error> {
        if !self.is_unchecked_on_host() {
            return self.group(stream, |messages| messages.send(elements, to));
        }
        self.check_stream(stream)?;
        self.shared.result()?;
        let bytes = MemoryBytes::of(elements);
        self.check_message::<B::Element>(Way::Send, to, bytes.len())?;
        self.on_host(stream, bytes, |_, _| Ok(()), move |engine, bytes| engine.send(bytes, to))
    }

    /// Receives elements from another rank, which calls [`send`](Self::send) with as many.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = stream.alloc_zeroed::<u32>(3)?;
    /// if world.size() > 1 {
    ///     match world.rank() {
    ///         0 => communicator.send(&stream, &x, 1)?,
    ///         1 => communicator.receive(&stream, &mut x, 0)?,
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Recv`; of NCCL `ncclRecv`.
    pub fn receive<B: WriteTo>(&self, stream: &Stream, elements: &mut B, from: usize) -> Result<(), Error> {
        if !self.is_unchecked_on_host() {
            return self.group(stream, |messages| messages.receive(elements, from));
        }
        self.check_stream(stream)?;
        self.shared.result()?;
        let bytes = MemoryBytesMut::overwritten(elements);
        self.check_message::<B::Element>(Way::Receive, from, bytes.len())?;
        self.on_host(stream, bytes, |_, _| Ok(()), move |engine, bytes| engine.receive(bytes, from))
    }

    /// Sends and receives several messages at once: none of them waits for another.
    ///
    /// Messages from one rank to another are received in the order in which they are sent. Buffers are borrowed until this returns.
    ///
    /// # Errors
    /// What `fill` returns; those of [`send`](Self::send).
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// // Around a ring.
    /// let (rank, size) = (world.rank(), world.size());
    /// let mine = stream.upload(&[rank as u32])?;
    /// let mut theirs = stream.alloc_zeroed::<u32>(1)?;
    /// communicator.group(&stream, |messages| {
    ///     messages.send(&mine, (rank + 1) % size)?;
    ///     messages.receive(&mut theirs, (rank + size - 1) % size)
    /// })?;
    /// assert_eq!(stream.download(&theirs)?, [((rank + size - 1) % size) as u32]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Isend`, `MPI_Irecv` and `MPI_Waitall`; of NCCL `ncclGroupStart` and `ncclGroupEnd`.
    pub fn group<'env>(
        &self,
        stream: &Stream,
        fill: impl FnOnce(&mut Messages<'env, '_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check_stream(stream)?;
        self.shared.result()?;
        let mut messages =
            Messages { communicator: self, words: Vec::new(), sends: Vec::new(), receives: Vec::new() };
        fill(&mut messages)?;
        let Messages { words, sends, receives, .. } = messages;
        if words.is_empty() {
            return Ok(());
        }
        let peers = |way| {
            let ours = words.iter().filter(move |message| message.way == way);
            ours.map(|message| message.peer).collect::<Vec<_>>()
        };
        let (to, from) = (peers(Way::Send), peers(Way::Receive));
        let compare = move |link: &Link, number| link.exchange(number, words.clone());
        let memory = (sends, receives);
        match &self.shared.engine {
            Engine::Host(_) => self.on_host(stream, memory, compare, move |engine, (sends, receives)| {
                let sends: Vec<_> = to.iter().copied().zip(sends).collect();
                let mut receives: Vec<_> = from.iter().copied().zip(receives).collect();
                engine.exchange(&sends, &mut receives)
            }),
            Engine::Device(_) => {
                self.on_device(stream, "group", memory, compare, |engine, (sends, receives), _, stream| {
                    let sends: Vec<_> = to.iter().copied().zip(sends).collect();
                    let receives: Vec<_> = from.iter().copied().zip(receives).collect();
                    // SAFETY: the memory is lent, and so is the stream, whose device is current.
                    unsafe { engine.exchange(&sends, &receives, stream) }
                })
            }
        }
    }

    /// Whether a message alone needs neither comparing nor a group, which takes memory of the host's.
    fn is_unchecked_on_host(&self) -> bool {
        !self.shared.checks && matches!(self.shared.engine, Engine::Host(_))
    }

    /// The elements of a message of so many bytes.
    ///
    /// # Errors
    /// [`Error::NoSuchRank`], [`Error::TooManyElements`].
    fn check_message<T>(&self, way: Way, peer: usize, bytes: usize) -> Result<usize, Error> {
        let call = if way == Way::Send { "send" } else { "receive" };
        self.check_rank(call, peer)?;
        let (engine, size) = (&self.shared.engine, size_of::<T>());
        let (given, most) = (bytes.checked_div(size).unwrap_or(0), engine.most_elements(size));
        if given > most {
            let (rank, engine) = (self.rank(), engine.kind().name());
            return Err(Error::TooManyElements { rank, call, engine, given, most });
        }
        Ok(given)
    }
}

/// Messages of a [`group`](Communicator::group).
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::{Error, Messages};
///
/// fn to_the_right<'b>(messages: &mut Messages<'b, '_>, x: &'b Buffer<f32>) -> Result<(), Error> {
///     if messages.rank() + 1 < messages.size() { messages.send(x, messages.rank() + 1) } else { Ok(()) }
/// }
/// ```
pub struct Messages<'env, 'c> {
    communicator: &'c Communicator,
    words: Vec<Message>,
    sends: Vec<MemoryBytes<'env>>,
    receives: Vec<MemoryBytesMut<'env>>,
}

impl<'env> Messages<'env, '_> {
    /// Adds a message to another rank, or to this one.
    ///
    /// # Errors
    /// [`Error::NoSuchRank`], [`Error::TooManyElements`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let (x, mut y) = (stream.upload(&[1, 2])?, stream.alloc_zeroed::<i32>(2)?);
    /// communicator.group(&stream, |messages| {
    ///     messages.send(&x, messages.rank())?;
    ///     messages.receive(&mut y, messages.rank())
    /// })?;
    /// assert_eq!(stream.download(&y)?, [1, 2]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Isend`.
    pub fn send<B: ReadFrom>(&mut self, elements: &'env B, to: usize) -> Result<(), Error> {
        let bytes = MemoryBytes::of(elements);
        self.add::<B>(Way::Send, to, bytes.len())?;
        self.sends.push(bytes);
        Ok(())
    }

    /// Adds a message from another rank, or from this one.
    ///
    /// # Errors
    /// [`Error::NoSuchRank`], [`Error::TooManyElements`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = stream.alloc_zeroed::<u32>(2)?;
    /// if world.size() > 1 {
    ///     communicator.group(&stream, |messages| match messages.rank() {
    ///         0 => messages.receive(&mut x, 1),
    ///         1 => messages.send(&x, 0),
    ///         _ => Ok(()),
    ///     })?;
    /// }
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Irecv`.
    pub fn receive<B: WriteTo>(&mut self, elements: &'env mut B, from: usize) -> Result<(), Error> {
        let bytes = MemoryBytesMut::overwritten(elements);
        self.add::<B>(Way::Receive, from, bytes.len())?;
        self.receives.push(bytes);
        Ok(())
    }

    /// The number of this rank.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// let communicator = world.communicator(&device)?;
    /// communicator.group(&device.stream()?, |messages| {
    ///     assert_eq!(messages.rank(), world.rank());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.communicator.rank()
    }

    /// The number of ranks.
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// let communicator = world.communicator(&device)?;
    /// communicator.group(&device.stream()?, |messages| {
    ///     assert_eq!(messages.size(), world.size());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.communicator.size()
    }

    fn add<B: ReadFrom>(&mut self, way: Way, peer: usize, bytes: usize) -> Result<(), Error> {
        let len = self.communicator.check_message::<B::Element>(way, peer, bytes)?;
        self.words.push(Message { way, peer, element: type_name::<B::Element>().into(), len });
        Ok(())
    }
}

impl fmt::Debug for Messages<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").field("messages", &self.words).finish_non_exhaustive()
    }
}
