//! A call on the host: what a rank sends, and what it makes of what the others sent.

use crate::error::Error;
use crate::inbox::{Frame, Place};
use crate::mesh::Mesh;
use crate::number::{Operator, reduce};
use crate::operation::{Call, Kind};

/// A call with its number: among those of all ranks, or among the messages between two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbered {
    pub(crate) call: Call,
    pub(crate) sequence: u64,
}

impl Numbered {
    fn place(self, rank: usize) -> Place {
        let is_message = matches!(self.call.kind, Kind::Send(_) | Kind::Receive(_));
        Place { rank, is_message, sequence: self.sequence }
    }

    /// Sends what others need. It waits for nobody: each rank reads what comes at all times.
    pub(crate) fn send(self, mesh: &Mesh, input: &[u8]) -> Result<(), Error> {
        let sent = self.call.sent();
        let to = |rank, bytes| mesh.send(self.place(rank), sent, bytes);
        let others = || (0..mesh.size).filter(|&rank| rank != mesh.rank);
        match self.call.kind {
            Kind::AllReduce(_) | Kind::AllGather => others().try_for_each(|rank| to(rank, input)),
            Kind::Reduce(_, root) if root != mesh.rank => to(root, input),
            Kind::Broadcast(root) if root == mesh.rank => others().try_for_each(|rank| to(rank, input)),
            Kind::ReduceScatter(_) => others().try_for_each(|rank| to(rank, part(input, rank, mesh.size))),
            Kind::Send(peer) => to(peer, input),
            Kind::Reduce(..) | Kind::Broadcast(_) | Kind::Receive(_) => Ok(()),
        }
    }

    /// Waits for what this rank needs of others, and makes its output.
    pub(crate) fn receive(self, mesh: &Mesh, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        match self.call.kind {
            Kind::AllReduce(operator) => self.reduce(mesh, operator, input, output),
            Kind::Reduce(operator, root) if root == mesh.rank => self.reduce(mesh, operator, input, output),
            Kind::ReduceScatter(operator) => {
                self.reduce(mesh, operator, part(input, mesh.rank, mesh.size), output)
            }
            Kind::Broadcast(root) if root == mesh.rank => put(output, input),
            Kind::Broadcast(root) => put(output, &self.take(mesh, root)?.bytes),
            Kind::Receive(peer) => put(output, &self.take(mesh, peer)?.bytes),
            Kind::AllGather => {
                let len = input.len().max(1);
                output.chunks_mut(len).enumerate().try_for_each(|(rank, place)| match rank {
                    _ if rank == mesh.rank => put(place, input),
                    _ => put(place, &self.take(mesh, rank)?.bytes),
                })
            }
            Kind::Reduce(..) | Kind::Send(_) => Ok(()),
        }
    }

    fn reduce(self, mesh: &Mesh, operator: Operator, own: &[u8], output: &mut [u8]) -> Result<(), Error> {
        let take = |rank| if rank == mesh.rank { Ok(own.to_vec()) } else { Ok(self.take(mesh, rank)?.bytes) };
        let parts = (0..mesh.size).map(take).collect::<Result<Vec<_>, Error>>()?;
        if parts.iter().any(|part| part.len() != output.len()) {
            return Err(Error::internal("a part has another length"));
        }
        let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
        reduce(self.call.data_type, operator, &parts, output);
        Ok(())
    }

    /// # Errors
    /// Also if the other rank called something else.
    fn take(self, mesh: &Mesh, rank: usize) -> Result<Frame, Error> {
        let frame = mesh.take(self.place(rank))?;
        let own = self.call.sent();
        if frame.call == own {
            return Ok(frame);
        }
        let (own, other) = (Call::said(&own), Call::said(&frame.call));
        Err(Error::usage(format!("rank {} called {own}, and rank {rank} {other}", mesh.rank)))
    }
}

/// A rank's part of what all ranks have.
fn part(bytes: &[u8], rank: usize, size: usize) -> &[u8] {
    let len = bytes.len() / size;
    bytes.get(rank * len..(rank + 1) * len).unwrap_or_default()
}

fn put(output: &mut [u8], bytes: &[u8]) -> Result<(), Error> {
    if output.len() != bytes.len() {
        return Err(Error::internal("a part has another length"));
    }
    output.copy_from_slice(bytes);
    Ok(())
}
