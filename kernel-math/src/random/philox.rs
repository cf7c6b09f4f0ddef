use super::distribution;

/// Philox4x32-10: four words that depend on all bits of a counter and a key.
///
/// Source: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011. [`Philox`] is
/// the generator that is made of it.
///
/// ```
/// use gridwright::random::philox4x32_10;
///
/// // The first of the authors' known answers.
/// assert_eq!(philox4x32_10([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[inline(always)]
pub fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    for round in 0..10 {
        if round > 0 {
            k = k.wrapping_add(0x9e37_79b9);
            l = l.wrapping_add(0xbb67_ae85);
        }
        let (left, right) = (u64::from(a) * 0xd251_1f53, u64::from(c) * 0xcd9e_8d57);
        (a, b) = ((right >> 32) as u32 ^ b ^ k, right as u32);
        (c, d) = ((left >> 32) as u32 ^ d ^ l, left as u32);
    }
    [a, b, c, d]
}

/// A generator of pseudo-random numbers: Philox4x32-10, the same streams on every device.
///
/// A seed has 2⁶⁴ streams of 2⁶⁶ words each. Give each thread a stream of its own, and the numbers depend on nothing else: not on the
/// block, nor on which device runs the kernel. Nothing is set up or kept in memory: a later launch goes on with [`skip`](Self::skip), or
/// takes the number of its step for the stream.
///
/// With the feature `rand` the generator
/// implements the traits of `rand_core` 0.10, and so works with `rand`'s distributions. It isn't for secrets.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::random::Philox;
///
/// /// How many of each thread's points lie in the circle.
/// #[gpu_kernel]
/// fn throw(t: Thread, seed: u64, points: u32, mut hits: PerThread<[u32]>) {
///     let Some(hits) = hits.get_mut(t) else { return };
///     let mut rng = Philox::new(seed, t.index() as u64);
///     for _ in 0..points {
///         let (x, y) = (rng.next_f32(), rng.next_f32());
///         *hits += u32::from(x * x + y * y < 1.0);
///     }
/// }
///
/// #[host_only]
/// fn main() -> Result<(), gridwright::Error> {
///     let device = Device::from_env()?;
///     let mut hits = vec![0; 1000];
///     throw::load(&device)?.run(&device, LaunchConfig::threads(1000), (42, 100, InOut(&mut hits)))?;
///     let pi = 4.0 * hits.iter().sum::<u32>() as f64 / 100_000.0;
///     assert!((pi - 3.1416).abs() < 0.02); // four standard deviations
///     Ok(())
/// }
/// ```
///
/// # From CUDA
/// `curandStatePhilox4_32_10_t`: the words are those of it, with the stream as its subsequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Philox {
    key: [u32; 2],
    stream: u64,
    /// The number of the block of four words after the one in `words`.
    counter: u64,
    words: [u32; 4],
    /// The number of `words` that are left, the last ones.
    left: u32,
}

impl Philox {
    /// The start of a stream.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// assert_ne!(Philox::new(1, 0).next_u32(), Philox::new(1, 1).next_u32());
    /// ```
    ///
    /// # From CUDA
    /// `curand_init(seed, subsequence, 0, &state)`.
    #[inline(always)]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32], stream, counter: 0, words: [0; 4], left: 0 }
    }

    /// Words 4·`block` to 4·`block` + 3 of the stream, wherever the generator is.
    ///
    /// This is the cheapest way to random numbers, where it is known which ones: no position is kept.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let mut rng = Philox::new(7, 3);
    /// let block = rng.at(1);
    /// rng.skip(4);
    /// assert_eq!([(); 4].map(|()| rng.next_u32()), block);
    /// ```
    ///
    /// # From CUDA
    /// `curand4`, from a position that is given rather than kept.
    #[inline(always)]
    pub fn at(&self, block: u64) -> [u32; 4] {
        let counter = [block as u32, (block >> 32) as u32, self.stream as u32, (self.stream >> 32) as u32];
        philox4x32_10(counter, self.key)
    }

    /// The stream's next word.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// assert_eq!(Philox::new(0, 0).next_u32(), 0x6627_e8d5);
    /// ```
    ///
    /// # From CUDA
    /// `curand`.
    #[inline(always)]
    pub fn next_u32(&mut self) -> u32 {
        if self.left == 0 {
            self.words = self.at(self.counter);
            self.counter = self.counter.wrapping_add(1);
            self.left = 4;
        }
        // Not indexed: an index that isn't known would put the words into memory.
        let word = match self.left {
            4 => self.words[0],
            3 => self.words[1],
            2 => self.words[2],
            _ => self.words[3],
        };
        self.left -= 1;
        word
    }

    /// The stream's next two words, the lower one first.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// assert_eq!(Philox::new(0, 0).next_u64(), 0xe169_c58d_6627_e8d5);
    /// ```
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let low = self.next_u32();
        u64::from(self.next_u32()) << 32 | u64::from(low)
    }

    /// Skips so many words, at once. Beyond the end of the stream it begins again.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let mut here = Philox::new(7, 3);
    /// let mut there = here;
    /// (0..11).for_each(|_| { here.next_u32(); });
    /// there.skip(11);
    /// assert_eq!(here.next_u32(), there.next_u32());
    /// ```
    ///
    /// # From CUDA
    /// `skipahead`.
    #[inline(always)]
    pub fn skip(&mut self, words: u64) {
        // The position in blocks, and within one.
        let from = 4 - self.left;
        let (block, within) =
            if self.left == 0 { (self.counter, 0) } else { (self.counter.wrapping_sub(1), from) };
        let within = (words & 3) + u64::from(within);
        let block = block.wrapping_add(words / 4).wrapping_add(within / 4);
        let within = (within % 4) as u32;
        self.counter = block;
        self.left = 0;
        if within > 0 {
            self.words = self.at(block);
            self.counter = block.wrapping_add(1);
            self.left = 4 - within;
        }
    }

    /// A number at least 0 and below 1: a multiple of 2⁻²⁴, each equally likely. It takes a word.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let x = Philox::new(1, 2).next_f32();
    /// assert!((0.0..1.0).contains(&x));
    /// ```
    ///
    /// # From CUDA
    /// `curand_uniform`, whose numbers are above 0 and at most 1.
    #[inline(always)]
    pub fn next_f32(&mut self) -> f32 {
        distribution::unit_f32(self.next_u32())
    }

    /// A number at least 0 and below 1: a multiple of 2⁻⁵³, each equally likely. It takes two words.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let x = Philox::new(1, 2).next_f64();
    /// assert!((0.0..1.0).contains(&x));
    /// ```
    ///
    /// # From CUDA
    /// `curand_uniform_double`, whose numbers are above 0 and at most 1.
    #[inline(always)]
    pub fn next_f64(&mut self) -> f64 {
        distribution::unit_f64(self.next_u64())
    }

    /// A whole number below `bound`, each equally likely.
    ///
    /// It takes a word, and another one each time that the first would favour some of the numbers: of `bound` = 10 once in 700 million
    /// times, of the worst bound every other time. Source: D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019).
    ///
    /// # Panics
    /// If `bound` is 0.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let mut rng = Philox::new(1, 2);
    /// let die = 1 + rng.below(6);
    /// assert!((1..=6).contains(&die));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a random number below 0: the bound has to be at least 1");
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            // So many of the products come up once too often.
            let excess = bound.wrapping_neg() % bound;
            while (product as u32) < excess {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Two independent numbers of the normal distribution with mean 0 and variance 1. It takes two words.
    ///
    /// See [`normal_pair`](super::normal_pair) for how.
    ///
    /// ```
    /// use gridwright::random::Philox;
    ///
    /// let mut rng = Philox::new(1, 2);
    /// let (x, y) = rng.next_normal_pair();
    /// assert!(x.abs() < 6.7 && y.abs() < 6.7);
    /// ```
    ///
    /// # From CUDA
    /// `curand_normal2`. The numbers of the pair are others.
    #[inline(always)]
    pub fn next_normal_pair(&mut self) -> (f32, f32) {
        let first = self.next_u32();
        distribution::normal_pair(first, self.next_u32())
    }
}
