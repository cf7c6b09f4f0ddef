//! What the benches share: the peers that they race, and what a run found.

pub mod compiled;
pub mod device;
pub mod harness;
pub mod loops;
pub mod machine;
pub mod open_cl;
pub mod record;
pub mod table;
pub mod widest;
