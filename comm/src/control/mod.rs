//! The connection by which ranks find each other, compare what they call, and see who ended. No element of a buffer goes through it.
//!
//! | module | what it holds |
//! |---|---|
//! | `words` | what ranks and the hub say to each other, a line of JSON each |
//! | `registry` | what the hub knows: who waits for whom. No sockets, no threads |
//! | `hub` | rank 0's threads: they read the ranks' lines, ask the registry, and write its answers |
//! | `link` | a rank's own end |
//!
//! All ranks are linked to rank 0, which also has a link to itself. A rank that ends closes its link: this is how the others learn of it,
//! on whatever machine it was.

mod hub;
mod link;
mod registry;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use hub::Hub;
pub(crate) use link::{Link, Watch};
pub(crate) use words::Trouble;
