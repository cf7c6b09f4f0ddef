//! Delays of operations: they differ from each other, and are the same in each run.

use std::time::Duration;

/// From none to `most` microseconds.
pub fn of(stream: u64, operation: u64, most: u64) -> Option<Duration> {
    (most > 0).then(|| Duration::from_micros(random(stream, operation) % (most + 1)))
}

/// A number that looks random.
pub fn random(stream: u64, operation: u64) -> u64 {
    // SplitMix64's finaliser.
    let mut bits = stream.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(operation << 1 | 1);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn delays_differ_and_keep_to_the_limit() {
        assert_eq!(of(1, 1, 0), None);
        let delays: Vec<_> = (0..64).filter_map(|operation| of(3, operation, 100)).collect();
        assert!(delays.iter().all(|delay| delay.as_micros() <= 100));
        assert!(delays.iter().any(|delay| delay.as_micros() > 50));
        assert!(delays.iter().any(|delay| delay.as_micros() < 50));
        assert_eq!(of(3, 5, 100), of(3, 5, 100));
    }
}
