//! Whether the host's processor works on eight lanes at once, as functions ask that are compiled for it.
//!
//! What runs for each instruction is compiled twice: for any processor, and for those with these features. Which of both runs is
//! chosen where an instruction is decoded, and where a launch begins.

/// Whether the processor has all features that what runs for each instruction is compiled for.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_there() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Whether the processor has all features that what runs for each instruction is compiled for.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn is_there() -> bool {
    false
}
