//! What the benches share: the peers that they race, memory in which all race alike, and what a run found.

mod aligned;
pub mod compiled;
pub mod device;
pub mod harness;
pub mod loops;
pub mod machine;
pub mod open_cl;
pub mod options;
pub mod record;
pub mod table;
pub mod widest;
