//! What differs between targets. Each module has the same names; this one picks.

mod cpu;

pub use cpu::*;
