//! What kernels of ours may cost, as multiples of what nvcc's do.

use super::{Case, Counts, Run};

/// The most warp instructions, by what the project promises itself.
const MOST: f64 = 1.02;

/// The most of any exception, and how many there may be.
const MOST_OF_EXCEPTIONS: f64 = 1.10;
const MOST_EXCEPTIONS: usize = 4;

/// A case that may execute more than [`MOST`].
pub(super) struct Exception {
    pub(super) case: &'static str,
    pub(super) most: f64,
    pub(super) reason: &'static str,
}

pub(super) const EXCEPTIONS: &[Exception] = &[];

/// A case that falls short of the limits, as far as is known. It must not get worse.
#[derive(Clone, Copy)]
pub(super) struct Shortfall {
    pub(super) case: &'static str,
    /// Multiples of nvcc's.
    pub(super) instructions: f64,
    pub(super) sectors: f64,
    /// Whether it has accesses to local memory that nvcc's hasn't.
    pub(super) local: bool,
    pub(super) reason: &'static str,
}

pub(super) const SHORTFALLS: &[Shortfall] = &[
    Shortfall {
        case: "nbody",
        instructions: 1.09,
        sectors: 1.06,
        local: false,
        reason: "the loop over chunks compares addresses of 64 bits, and a body's velocity is read and written by its components, as LLVM \
                 doesn't know that it and the new places are apart",
    },
    Shortfall {
        case: "radix_count",
        instructions: 1.32,
        sectors: 1.0,
        local: false,
        reason: "a reduction gives its total to all threads, each of which adds up the warps' four words",
    },
    Shortfall {
        case: "radix_scan",
        instructions: 1.03,
        sectors: 1.02,
        local: false,
        reason: "the number of groups is divided by in 64 bits",
    },
    Shortfall {
        case: "radix_scatter",
        instructions: 1.16,
        sectors: 1.11,
        local: false,
        reason: "both phases read the keys",
    },
    Shortfall {
        case: "bilateral_filter",
        instructions: 1.70,
        sectors: 1.0,
        local: true,
        reason: "an array that is passed by value is copied to local memory where it is indexed, and how a texture is addressed is chosen at \
                 each texel",
    },
];

/// Cases whose registers aren't compared, and why.
pub(super) const MORE_REGISTERS: &[(&str, &str)] = &[
    (
        "tensor_core_gemm",
        "ptxas has more of the next step's loads on their way, which only a GPU can tell the worth of",
    ),
    ("radix_count", "each thread has the four words of all eight warps, to add them up"),
];

/// What is wrong with the cases, each in a sentence.
pub(in crate::codegen) fn findings(cases: &[Case]) -> Vec<String> {
    let of_cases = cases.iter().flat_map(|case| of(case, EXCEPTIONS, SHORTFALLS));
    of_cases.chain(of_exceptions(EXCEPTIONS)).collect()
}

/// What the exceptions and the shortfalls are, each in a line.
pub(in crate::codegen) fn notes() -> Vec<String> {
    let exception =
        |Exception { case, most, reason }: &Exception| format!("{case} may have {most} times: {reason}");
    let shortfall = |short: &Shortfall| format!("{} falls short: {}", short.case, short.reason);
    EXCEPTIONS.iter().map(exception).chain(SHORTFALLS.iter().map(shortfall)).collect()
}

/// What is wrong with a case.
pub(super) fn of(
    Case { case, ours, theirs }: &Case,
    exceptions: &[Exception],
    shortfalls: &[Shortfall],
) -> Vec<String> {
    let mut findings = Vec::new();
    for (whose, Run { fault, .. }) in [("ours", ours), ("nvcc's", theirs)] {
        findings.extend(fault.as_ref().map(|fault| format!("{case}, {whose}: {fault}")));
    }
    let (Some(ours), Some(theirs)) = (ours.counts, theirs.counts) else { return findings };
    let mut find = |finding: String| findings.push(format!("{case}: {finding}"));

    let times = ratio(ours.instructions, theirs.instructions);
    let short = shortfalls.iter().find(|short| short.case == case);
    let exception = exceptions.iter().find(|exception| exception.case == case);
    let most = short.map(|short| short.instructions).or(exception.map(|exception| exception.most));
    if times > most.unwrap_or(MOST) {
        find(format!("{times:.3} times nvcc's instructions, more than {}", most.unwrap_or(MOST)));
    } else if exception.is_some() && times <= MOST {
        find(format!("{times:.3} times nvcc's instructions, so it needs no exception"));
    }
    let most_sectors = short.map_or(1.0, |short| short.sectors);
    if ours.sectors as f64 > theirs.sectors as f64 * most_sectors {
        find(format!("{} sectors of global memory, nvcc's {}", ours.sectors, theirs.sectors));
    }
    if ours.local > theirs.local && !short.is_some_and(|short| short.local) {
        find(format!("{} accesses to local memory, nvcc's {}", ours.local, theirs.local));
    }
    let is_within = times <= MOST && ours.sectors <= theirs.sectors && ours.local <= theirs.local;
    if short.is_some() && is_within {
        find("is within the limits, so it falls short of nothing".to_owned());
    }
    let with_theirs = groups(Counts { registers: theirs.registers, ..ours });
    if groups(ours) < with_theirs && MORE_REGISTERS.iter().all(|(name, _)| name != case) {
        let (registers, held, theirs) = (ours.registers, groups(ours), theirs.registers);
        let finding = format!("{registers} registers, with which a multiprocessor holds {held} groups");
        find(format!("{finding}; with nvcc's {theirs}, {with_theirs}"));
    }
    findings
}

pub(super) fn ratio(ours: u64, theirs: u64) -> f64 {
    ours as f64 / theirs as f64
}

/// The groups that a multiprocessor of sm_86 holds at a time. Source: CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability", and the occupancy calculator's units of allocation.
pub(super) fn groups(Counts { registers, shared, threads, .. }: Counts) -> u32 {
    const REGISTERS: u32 = 65_536;
    const REGISTER_UNIT: u32 = 256;
    const WARP_UNIT: u32 = 4;
    const MOST_WARPS: u32 = 48;
    const MOST_GROUPS: u32 = 16;
    const SHARED: u32 = 100 << 10;
    const RESERVED_SHARED: u32 = 1 << 10;

    let warps = threads.div_ceil(32).max(1);
    let of_warp = (32 * registers).next_multiple_of(REGISTER_UNIT).max(REGISTER_UNIT);
    let with_registers = REGISTERS / of_warp / WARP_UNIT * WARP_UNIT / warps;
    with_registers.min(MOST_WARPS / warps).min(MOST_GROUPS).min(SHARED / (shared + RESERVED_SHARED))
}

/// What is wrong with the list of exceptions itself.
pub(super) fn of_exceptions(exceptions: &[Exception]) -> Vec<String> {
    let wrong = exceptions.iter().filter(|each| each.most > MOST_OF_EXCEPTIONS || each.reason.is_empty());
    let mut findings: Vec<_> = wrong
        .map(|each| format!("{}: its exception has no reason, or is above {MOST_OF_EXCEPTIONS}", each.case))
        .collect();
    if exceptions.len() > MOST_EXCEPTIONS {
        findings.push(format!("{} exceptions, more than {MOST_EXCEPTIONS}", exceptions.len()));
    }
    findings
}
