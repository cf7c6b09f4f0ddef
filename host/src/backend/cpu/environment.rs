use std::num::NonZero;

use gridwright_device::arch::Isa;

use crate::Error;

/// The instruction set: the widest that the machine has, or what `GRIDWRIGHT_CPU_ISA` says.
pub(super) fn isa() -> Result<Isa, Error> {
    let available = Isa::available();
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

fn parse<T>(
    variable: &'static str,
    default: T,
    accept: impl FnOnce(&str) -> Option<T>,
    expected: impl FnOnce() -> String,
) -> Result<T, Error> {
    let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok(default);
    };
    value.to_str().and_then(accept).ok_or_else(|| Error::Environment {
        variable,
        value: value.to_string_lossy().into_owned(),
        expected: expected(),
    })
}
