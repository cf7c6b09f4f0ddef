use std::num::NonZero;

use gridwright_core::Isa;

use crate::Error;
use crate::environment::parse;

/// The instruction set: the widest that the machine has, or what `GRIDWRIGHT_CPU_ISA` says.
pub(super) fn isa() -> Result<Isa, Error> {
    let available = gridwright_cpu::available();
    let widest = available.last().copied().unwrap_or(Isa::Baseline);
    parse(
        "GRIDWRIGHT_CPU_ISA",
        widest,
        |value| available.iter().copied().find(|isa| isa.name() == value),
        || {
            let names: Vec<_> = available.iter().map(|isa| isa.name()).collect();
            format!("one of those that this machine has: {}", names.join(", "))
        },
    )
}

/// The number of threads that a launch may use: as many as the machine has, or what
/// `GRIDWRIGHT_CPU_THREADS` says.
pub(super) fn threads() -> Result<usize, Error> {
    let all = std::thread::available_parallelism().map_or(1, NonZero::get);
    parse(
        "GRIDWRIGHT_CPU_THREADS",
        all,
        |value| value.parse().ok().filter(|threads| (1..=1024).contains(threads)),
        || "a number from 1 to 1024".into(),
    )
}
