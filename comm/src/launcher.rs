//! What started the program, as its environment says.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::Error;
use crate::settings::parse;

/// Variables that the launchers of MPI programs set: Open MPI's `mpirun`, and PMIx and PMI, which `srun` and others speak.
const OF_MPI: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Launcher {
    /// Nobody: the program is one rank.
    None,
    /// A launcher of MPI programs. MPI says the rest.
    Mpi,
    /// One that says where ranks meet, as `torchrun` does.
    Address { rank: usize, size: usize, local_rank: usize, local_size: usize, address: SocketAddr },
}

impl Launcher {
    /// # Errors
    /// [`Error::Environment`] for variables that mean nothing; [`Error::Control`] for an address that has no machine.
    pub(crate) fn from_env() -> Result<Self, Error> {
        if OF_MPI.iter().any(|variable| std::env::var_os(variable).is_some()) {
            return Ok(Self::Mpi);
        }
        let number = |variable| parse(variable, "a whole number", |value| value.parse::<usize>().ok());
        let (Some(rank), Some(size)) = (number("RANK")?, number("WORLD_SIZE")?) else {
            return Ok(Self::None);
        };
        if rank >= size {
            let value = rank.to_string();
            return Err(Error::Environment {
                variable: "RANK",
                value,
                expected: "a number below WORLD_SIZE",
            });
        }
        let local_rank = number("LOCAL_RANK")?.unwrap_or(rank);
        let local_size = number("LOCAL_WORLD_SIZE")?.unwrap_or(size);
        let host = parse("MASTER_ADDR", "a machine's name or address", |value| Some(value.to_owned()))?;
        let port = parse("MASTER_PORT", "a port", |value| value.parse::<u16>().ok())?;
        let (Some(host), Some(port)) = (host, port) else {
            if size == 1 {
                return Ok(Self::None);
            }
            let value = String::new();
            let expected = "where rank 0 listens, with MASTER_PORT, as RANK and WORLD_SIZE are set";
            return Err(Error::Environment { variable: "MASTER_ADDR", value, expected });
        };
        let mut addresses = (host.as_str(), port).to_socket_addrs().map_err(|error| Error::Control {
            what: format!("can't find the machine {host}, which MASTER_ADDR names: {error}"),
        })?;
        let address = addresses.next().ok_or_else(|| Error::Control {
            what: format!("the machine {host}, which MASTER_ADDR names, has no address"),
        })?;
        Ok(Self::Address { rank, size, local_rank, local_size, address })
    }
}
