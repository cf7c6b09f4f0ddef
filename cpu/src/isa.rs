use gridwright_core::Isa;

/// The instruction sets that this machine has, the widest last.
///
/// ```
/// assert!(gridwright_cpu::available().contains(&gridwright_core::Isa::Baseline));
/// ```
pub fn available() -> &'static [Isa] {
    let all = &[Isa::Baseline, Isa::Avx2, Isa::Avx512];
    &all[..1 + usize::from(has_avx2()) + usize::from(has_avx2() && has_avx512())]
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    all!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    all!("avx512f" "avx512bw" "avx512dq" "avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::available;

    #[test]
    fn the_baseline_is_always_there_and_wider_ones_come_after_it() {
        let names: Vec<_> = available().iter().map(|isa| isa.name()).collect();
        assert_eq!(names, ["baseline", "avx2", "avx512"][..names.len()]);
    }
}
