//! Random numbers that are the same for a seed on every machine and in every version: a seed of a finding stays one.

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number of a range, both ends included.
    pub(super) fn within(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// Whether something happens that does so in so many of a hundred cases.
    pub(super) fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    pub(super) fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// One of some words.
    pub(super) fn word<'w>(&mut self, words: &'w str) -> &'w str {
        let words: Vec<&str> = words.split(' ').collect();
        words[self.below(words.len())]
    }

    pub(super) fn text(&mut self, all: &[&str]) -> String {
        (*self.of(all)).to_owned()
    }
}
