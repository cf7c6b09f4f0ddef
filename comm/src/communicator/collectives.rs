use std::any::type_name;

use gridwright::Stream;
use gridwright::launch::{MemoryBytes, MemoryBytesMut};
use gridwright::memory::{ReadFrom, WriteTo};

use crate::call::{Call, Collective};
use crate::control::{Link, Trouble};
use crate::element::Number;
use crate::engine::Engine;
use crate::{Communicator, Error, ReduceOp, Reducible};

impl Communicator {
    /// Waits for all ranks: what is submitted to the stream later begins when all have come so far.
    ///
    /// # Errors
    /// [`Error::ForeignStream`], and what goes wrong among ranks: [`Error::Mismatch`], [`Error::Missing`], [`Error::Died`], [`Error::Engine`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// world.communicator(&device)?.barrier(&device.stream()?)?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Barrier`.
    pub fn barrier(&self, stream: &Stream) -> Result<(), Error> {
        self.check_stream(stream)?;
        self.shared.result()?;
        let call = Call { collective: Collective::Barrier, element: "".into(), len: 0 };
        match &self.shared.engine {
            Engine::Host(_) => self.on_host(stream, call, (), compare, |call, engine, ()| {
                engine.collective(call, None, None, &mut [])
            }),
            Engine::Device(_) => {
                self.on_device(
                    stream,
                    call.collective.name(),
                    (),
                    |link, number| compare(&call, link, number),
                    |engine, (), byte, stream| {
                        // SAFETY: the byte is lent, and so is the stream, whose device is current.
                        unsafe { engine.collective(&call, None, None, byte, stream) }
                    },
                )
            }
        }
    }

    /// Reduces the elements of all ranks, place by place: every rank gets the result.
    ///
    /// `input` and `output` have the same length, on every rank.
    ///
    /// # Errors
    /// [`Error::Lengths`], [`Error::TooManyElements`], [`Error::ForeignStream`], [`gridwright::Error::ForeignBuffer`], and what goes wrong among ranks: [`Error::Mismatch`],
    /// [`Error::Missing`], [`Error::Died`], [`Error::Engine`].
    ///
    /// ```
    /// # use gridwright_comm::{ReduceOp, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let x = stream.upload(&[1_u32, world.rank() as u32])?;
    /// let mut y = stream.alloc_zeroed::<u32>(2)?;
    /// communicator.all_reduce(&stream, &x, &mut y, ReduceOp::Maximum)?;
    /// assert_eq!(stream.download(&y)?, [1, world.size() as u32 - 1]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Allreduce`; of NCCL `ncclAllReduce`.
    pub fn all_reduce<I, O, T>(
        &self,
        stream: &Stream,
        input: &I,
        output: &mut O,
        op: ReduceOp,
    ) -> Result<(), Error>
    where
        I: ReadFrom<Element = T>,
        O: WriteTo<Element = T>,
        T: Reducible,
    {
        let len = elements(input);
        self.check_len("all_reduce", "output", len, elements(output))?;
        self.collective(stream, Collective::AllReduce(op), len, Some(T::number().0), input, output)
    }

    /// Reduces the elements of all ranks, place by place: every rank gets the result in their place.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce).
    ///
    /// ```
    /// # use gridwright_comm::{ReduceOp, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = stream.upload(&[1_u32])?;
    /// communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum)?;
    /// assert_eq!(stream.download(&x)?, [world.size() as u32]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Allreduce` with `MPI_IN_PLACE`.
    pub fn all_reduce_in_place<O, T>(
        &self,
        stream: &Stream,
        elements_of: &mut O,
        op: ReduceOp,
    ) -> Result<(), Error>
    where
        O: WriteTo<Element = T>,
        T: Reducible,
    {
        let len = elements(elements_of);
        self.in_place(stream, Collective::AllReduce(op), len, Some(T::number().0), elements_of)
    }

    /// Reduces the elements of all ranks, place by place: the rank `root` gets the result.
    ///
    /// `input` has the same length on every rank, and `output` that length on `root`. On other ranks `output` may have any length, and stays as it is.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce); [`Error::NoSuchRank`].
    ///
    /// ```
    /// # use gridwright_comm::{ReduceOp, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let x = stream.upload(&[2.0_f64])?;
    /// let mut sum = stream.alloc_zeroed::<f64>(1)?;
    /// communicator.reduce(&stream, &x, &mut sum, ReduceOp::Sum, 0)?;
    /// if world.rank() == 0 {
    ///     assert_eq!(stream.download(&sum)?, [2.0 * world.size() as f64]);
    /// }
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Reduce`; of NCCL `ncclReduce`.
    pub fn reduce<I, O, T>(
        &self,
        stream: &Stream,
        input: &I,
        output: &mut O,
        op: ReduceOp,
        root: usize,
    ) -> Result<(), Error>
    where
        I: ReadFrom<Element = T>,
        O: WriteTo<Element = T>,
        T: Reducible,
    {
        self.check_rank("reduce", root)?;
        let len = elements(input);
        if self.rank() == root {
            self.check_len("reduce", "output", len, elements(output))?;
        }
        self.collective(stream, Collective::Reduce(op, root), len, Some(T::number().0), input, output)
    }

    /// Gives every rank the elements of the rank `root`.
    ///
    /// `elements` has the same length on every rank.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce); [`Error::NoSuchRank`].
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let mut x = stream.upload(&[world.rank() as u32])?;
    /// communicator.broadcast(&stream, &mut x, 0)?;
    /// assert_eq!(stream.download(&x)?, [0]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Bcast`; of NCCL `ncclBroadcast`.
    pub fn broadcast<O: WriteTo>(
        &self,
        stream: &Stream,
        elements_of: &mut O,
        root: usize,
    ) -> Result<(), Error> {
        self.check_rank("broadcast", root)?;
        let len = elements(elements_of);
        self.in_place(stream, Collective::Broadcast(root), len, None, elements_of)
    }

    /// Gives every rank the elements of all, in the order of the ranks.
    ///
    /// `part` has the same length on every rank, and `whole` that times the number of ranks.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce).
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let part = stream.upload(&[world.rank() as u32])?;
    /// let mut whole = stream.alloc_zeroed::<u32>(world.size())?;
    /// communicator.all_gather(&stream, &part, &mut whole)?;
    /// assert!(stream.download(&whole)?.into_iter().eq(0..world.size() as u32));
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Allgather`; of NCCL `ncclAllGather`.
    pub fn all_gather<I, O>(&self, stream: &Stream, part: &I, whole: &mut O) -> Result<(), Error>
    where
        I: ReadFrom,
        O: WriteTo<Element = I::Element>,
    {
        let len = elements(part);
        self.check_len("all_gather", "whole", len.saturating_mul(self.size()), elements(whole))?;
        self.collective(stream, Collective::AllGather, len, None, part, whole)
    }

    /// Reduces the elements of all ranks, place by place, and gives each rank its part of the result, in the order of the ranks.
    ///
    /// `part` has the same length on every rank, and `whole` that times the number of ranks.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce).
    ///
    /// ```
    /// # use gridwright_comm::{ReduceOp, World};
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let whole = stream.upload(&vec![1_i64; world.size()])?;
    /// let mut part = stream.alloc_zeroed::<i64>(1)?;
    /// communicator.reduce_scatter(&stream, &whole, &mut part, ReduceOp::Sum)?;
    /// assert_eq!(stream.download(&part)?, [world.size() as i64]);
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Reduce_scatter_block`; of NCCL `ncclReduceScatter`.
    pub fn reduce_scatter<I, O, T>(
        &self,
        stream: &Stream,
        whole: &I,
        part: &mut O,
        op: ReduceOp,
    ) -> Result<(), Error>
    where
        I: ReadFrom<Element = T>,
        O: WriteTo<Element = T>,
        T: Reducible,
    {
        let len = elements(part);
        self.check_len("reduce_scatter", "whole", len.saturating_mul(self.size()), elements(whole))?;
        self.collective(stream, Collective::ReduceScatter(op), len, Some(T::number().0), whole, part)
    }

    /// Sends each rank a part of the elements, and receives a part from each, all parts of one length, in the order of the ranks.
    ///
    /// `input` and `output` have the same length on every rank, a multiple of the number of ranks.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce).
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// let to = stream.upload(&vec![world.rank() as u32; world.size()])?;
    /// let mut from = stream.alloc_zeroed::<u32>(world.size())?;
    /// communicator.all_to_all(&stream, &to, &mut from)?;
    /// assert!(stream.download(&from)?.into_iter().eq(0..world.size() as u32));
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Alltoall`; of NCCL a group of `ncclSend` and `ncclRecv`.
    pub fn all_to_all<I, O>(&self, stream: &Stream, input: &I, output: &mut O) -> Result<(), Error>
    where
        I: ReadFrom,
        O: WriteTo<Element = I::Element>,
    {
        let (call, len) = ("all_to_all", elements(input));
        self.check_len(call, "output", len, elements(output))?;
        self.check_len(call, "input", len.next_multiple_of(self.size()), len)?;
        self.collective(stream, Collective::AllToAll, len / self.size(), None, input, output)
    }

    /// Sends each rank as many elements as `sent` says, and receives from each as many as `received` says, in the order of the ranks.
    ///
    /// What a rank sends to another is what that one receives from it. The lengths of `input` and `output` are the sums.
    ///
    /// # Errors
    /// Those of [`all_reduce`](Self::all_reduce).
    ///
    /// ```
    /// # use gridwright_comm::World;
    /// # let world = World::from_env()?;
    /// # let device = world.device()?;
    /// # let (communicator, stream) = (world.communicator(&device)?, device.stream()?);
    /// // Every rank sends rank r as many elements as r + 1.
    /// let sent: Vec<_> = (1..=world.size()).collect();
    /// let received = vec![world.rank() + 1; world.size()];
    /// let to = stream.alloc_zeroed::<u32>(sent.iter().sum())?;
    /// let mut from = stream.alloc_zeroed::<u32>(received.iter().sum())?;
    /// communicator.all_to_all_v(&stream, &to, &sent, &mut from, &received)?;
    /// # Ok::<(), gridwright_comm::Error>(())
    /// ```
    ///
    /// # From MPI
    /// `MPI_Alltoallv`, with offsets that leave no gaps.
    pub fn all_to_all_v<I, O>(
        &self,
        stream: &Stream,
        input: &I,
        sent: &[usize],
        output: &mut O,
        received: &[usize],
    ) -> Result<(), Error>
    where
        I: ReadFrom,
        O: WriteTo<Element = I::Element>,
    {
        let call = "all_to_all_v";
        let sum = |counts: &[usize]| counts.iter().fold(0_usize, |sum, &count| sum.saturating_add(count));
        self.check_len(call, "`sent`", self.size(), sent.len())?;
        self.check_len(call, "`received`", self.size(), received.len())?;
        self.check_len(call, "input", sum(sent), elements(input))?;
        self.check_len(call, "output", sum(received), elements(output))?;
        let len = elements(input).max(elements(output));
        self.collective(
            stream,
            Collective::AllToAllV(sent.to_vec(), received.to_vec()),
            len,
            None,
            input,
            output,
        )
    }

    fn collective<I: ReadFrom, O: WriteTo>(
        &self,
        stream: &Stream,
        collective: Collective,
        len: usize,
        number: Option<Number>,
        input: &I,
        output: &mut O,
    ) -> Result<(), Error> {
        let call = self.call::<I>(stream, collective, len)?;
        let input = MemoryBytes::of(input);
        match &self.shared.engine {
            Engine::Host(_) => {
                let output = match call.collective {
                    Collective::Reduce(_, root) if root != self.rank() => MemoryBytesMut::of(output),
                    _ => MemoryBytesMut::overwritten(output),
                };
                self.on_host(stream, call, (input, output), compare, move |call, engine, (input, output)| {
                    engine.collective(call, number, Some(input), output)
                })
            }
            Engine::Device(_) => {
                let (name, memory) = (call.collective.name(), (input, MemoryBytesMut::of(output)));
                self.on_device(
                    stream,
                    name,
                    memory,
                    |link, number| compare(&call, link, number),
                    |engine, (input, output), _, stream| {
                        // SAFETY: the memory is lent, and so is the stream, whose device is current.
                        unsafe { engine.collective(&call, number, Some(input), output, stream) }
                    },
                )
            }
        }
    }

    fn in_place<O: WriteTo>(
        &self,
        stream: &Stream,
        collective: Collective,
        len: usize,
        number: Option<Number>,
        output: &mut O,
    ) -> Result<(), Error> {
        let call = self.call::<O>(stream, collective, len)?;
        let output = MemoryBytesMut::of(output);
        match &self.shared.engine {
            Engine::Host(_) => self.on_host(stream, call, output, compare, move |call, engine, output| {
                engine.collective(call, number, None, output)
            }),
            Engine::Device(_) => {
                self.on_device(
                    stream,
                    call.collective.name(),
                    output,
                    |link, number| compare(&call, link, number),
                    |engine, output, _, stream| {
                        // SAFETY: the memory is lent, and so is the stream, whose device is current.
                        unsafe { engine.collective(&call, number, None, output, stream) }
                    },
                )
            }
        }
    }

    /// The call as others may know it.
    ///
    /// # Errors
    /// [`Error::ForeignStream`], [`Error::TooManyElements`], and what went wrong before.
    fn call<B: ReadFrom>(&self, stream: &Stream, collective: Collective, len: usize) -> Result<Call, Error> {
        self.check_stream(stream)?;
        self.shared.result()?;
        let engine = &self.shared.engine;
        let most = engine.most_elements(size_of::<B::Element>());
        if len > most {
            return Err(Error::TooManyElements {
                rank: self.rank(),
                call: collective.name(),
                engine: engine.kind().name(),
                given: len,
                most,
            });
        }
        Ok(Call { collective, element: type_name::<B::Element>().into(), len })
    }
}

/// Compares a call with the others'.
fn compare(call: &Call, link: &Link, number: u32) -> Result<(), Trouble> {
    link.enter(number, call)
}

/// The number of elements.
fn elements<B: ReadFrom>(memory: &B) -> usize {
    MemoryBytes::of(memory).len().checked_div(size_of::<B::Element>()).unwrap_or(0)
}
