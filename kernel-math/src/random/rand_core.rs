//! The traits of `rand_core`, so that `rand`'s distributions can draw from [`Philox`].

use core::convert::Infallible;

use rand_core::{SeedableRng, TryRng, utils};

use super::Philox;

/// ```
/// use gridwright::random::Philox;
/// use rand_core::Rng;
///
/// fn draw(rng: &mut impl Rng) -> u32 {
///     rng.next_u32()
/// }
/// assert_eq!(draw(&mut Philox::new(0, 0)), 0x6627_e8d5);
/// ```
impl TryRng for Philox {
    type Error = Infallible;

    #[inline(always)]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u32())
    }

    #[inline(always)]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_u64())
    }

    #[inline(always)]
    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(to, || self.try_next_u32())
    }
}

/// The first eight bytes of a seed are [`Philox::new`]'s, the others the stream.
///
/// ```
/// use gridwright::random::Philox;
/// use rand_core::SeedableRng;
///
/// let mut seed = [0; 16];
/// (seed[0], seed[8]) = (7, 3);
/// assert_eq!(Philox::from_seed(seed), Philox::new(7, 3));
/// ```
impl SeedableRng for Philox {
    type Seed = [u8; 16];

    #[inline(always)]
    fn from_seed(seed: [u8; 16]) -> Self {
        let bits = u128::from_le_bytes(seed);
        Self::new(bits as u64, (bits >> 64) as u64)
    }
}
