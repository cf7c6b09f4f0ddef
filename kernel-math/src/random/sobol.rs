use bytemuck::{Pod, Zeroable};
use gridwright_core::{KernelArg, Layout};

use super::joe_kuo::{INITIAL, POLYNOMIALS};

/// One dimension of the Sobol sequence, with the direction numbers of Joe and Kuo.
///
/// A point of the sequence has a coordinate for each dimension, and the first 2ⁿ points fill space more evenly than random ones:
/// integrals over them converge nearly as 1/n rather than 1/√n. A coordinate is a word, of which [`unit_f32`](super::unit_f32) makes a
/// number below 1. There are [`DIMENSIONS`](Self::DIMENSIONS) dimensions and 2³² points; the first point is 0 in all of them.
///
/// The host makes the dimensions that it needs and hands them to the kernel as a slice; a kernel can make them too, but each takes a
/// hundred instructions. The points are in the order of Antonov and Saleev, as those of SciPy.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::random::{Sobol, unit_f32};
///
/// /// x·y·z of each point.
/// #[gpu_kernel]
/// fn volume(t: Thread, dimensions: &[Sobol], mut product: PerThread<[f32]>) {
///     if let Some(product) = product.get_mut(t) {
///         *product = dimensions.iter().map(|d| unit_f32(d.at(t.index() as u32))).product();
///     }
/// }
///
/// #[host_only]
/// fn main() -> Result<(), gridwright::Error> {
///     let device = Device::from_env()?;
///     let dimensions: Vec<_> = (0..3).filter_map(Sobol::new).collect();
///     let mut products = vec![0.0; 1 << 12];
///     volume::load(&device)?.run(&device, LaunchConfig::threads(1 << 12), (&dimensions, InOut(&mut products)))?;
///     let mean = products.iter().sum::<f32>() / 4096.0;
///     assert!((mean - 0.125).abs() < 0.001); // four random thousands would be off by 0.003
///     Ok(())
/// }
/// ```
///
/// # From CUDA
/// `curandStateSobol32_t`. The points are in its order; the dimension is a value without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Sobol {
    directions: [u32; 32],
}

// SAFETY: an array of `u32` and nothing else.
unsafe impl Zeroable for Sobol {}
// SAFETY: any bits are an array of `u32`, which has no padding.
unsafe impl Pod for Sobol {}
// SAFETY: 1. the array, which is the same on all targets; 2. of 128 bytes; 3. its layout.
unsafe impl KernelArg for Sobol {
    const LAYOUT: Layout = Layout::structure(128, 4).field(0, <[u32; 32]>::LAYOUT);
}

impl Sobol {
    /// The number of dimensions.
    ///
    /// ```
    /// assert_eq!(gridwright::random::Sobol::DIMENSIONS, 1111);
    /// ```
    pub const DIMENSIONS: usize = POLYNOMIALS.len() + 1;

    /// A dimension, counted from 0; `None` from [`DIMENSIONS`](Self::DIMENSIONS) on.
    ///
    /// ```
    /// use gridwright::random::Sobol;
    ///
    /// assert!(Sobol::new(1110).is_some());
    /// assert!(Sobol::new(Sobol::DIMENSIONS).is_none());
    /// ```
    pub const fn new(dimension: usize) -> Option<Self> {
        let mut directions = [0_u32; 32];
        if dimension >= Self::DIMENSIONS {
            return None;
        }
        if dimension == 0 {
            let mut bit = 0;
            while bit < 32 {
                directions[bit] = 1 << (31 - bit);
                bit += 1;
            }
            return Some(Self { directions });
        }
        let polynomial = POLYNOMIALS[dimension - 1] as u32;
        let degree = polynomial.ilog2() as usize;
        let first = first_number(dimension - 1, degree);
        let mut bit = 0;
        while bit < 32 {
            directions[bit] = if bit < degree {
                (INITIAL[first + bit] as u32) << (31 - bit)
            } else {
                let before = directions[bit - degree];
                let mut direction = before ^ before >> degree;
                // The coefficients between the highest and the lowest one.
                let mut back = 1;
                while back < degree {
                    if polynomial >> (degree - back) & 1 == 1 {
                        direction ^= directions[bit - back];
                    }
                    back += 1;
                }
                direction
            };
            bit += 1;
        }
        Some(Self { directions })
    }

    /// The coordinate of point `index` in this dimension, as a part of 2³².
    ///
    /// ```
    /// use gridwright::random::Sobol;
    ///
    /// let second = Sobol::new(1).expect("there are 1111");
    /// let points = [0, 1, 2, 3, 4].map(|index| second.at(index) as f64 / 4_294_967_296.0);
    /// assert_eq!(points, [0.0, 0.5, 0.25, 0.75, 0.375]);
    /// ```
    ///
    /// # From CUDA
    /// `curand` of a Sobol state, after `skipahead` by `index`.
    #[inline(always)]
    pub fn at(&self, index: u32) -> u32 {
        let mut gray = index ^ index >> 1;
        let mut point = 0;
        for &direction in &self.directions {
            // All ones or none: without a branch, threads that have different bits don't part.
            point ^= direction & (gray & 1).wrapping_neg();
            gray >>= 1;
        }
        point
    }

    /// Point `index`, of point `index - 1`: one exclusive or. `index` is at least 1.
    ///
    /// ```
    /// use gridwright::random::Sobol;
    ///
    /// let dimension = Sobol::new(7).expect("there are 1111");
    /// assert_eq!(dimension.after(dimension.at(41), 42), dimension.at(42));
    /// ```
    #[inline(always)]
    pub fn after(&self, previous: u32, index: u32) -> u32 {
        let changed = crate::int::trailing_zeros(index) as usize;
        previous ^ self.directions[changed & 31]
    }

    /// The coordinate of point `index`, as [`at`](Self::at), of the sequence that `seed` scrambles, one of 2³².
    ///
    /// Each half, quarter and so on of the range changes places with its neighbour or doesn't, as a hash of the seed says: the points are
    /// spread as evenly as before, and the mean over several seeds tells the error. Take another seed for each dimension. Source: B.
    /// Burley, Practical hash-based Owen scrambling, JCGT 9 (2020), with the hash of S. Laine and T. Karras.
    ///
    /// ```
    /// use gridwright::random::Sobol;
    ///
    /// let dimension = Sobol::new(7).expect("there are 1111");
    /// assert_ne!(dimension.at_scrambled(42, 1), dimension.at_scrambled(42, 2));
    /// ```
    ///
    /// # From CUDA
    /// `curandStateScrambledSobol32_t`, which scrambles in another way.
    #[inline(always)]
    pub fn at_scrambled(&self, index: u32, seed: u32) -> u32 {
        let mut x = self.at(index).reverse_bits().wrapping_add(seed);
        x ^= x.wrapping_mul(0x6c50_b47c);
        x ^= x.wrapping_mul(0xb82f_1e52);
        x ^= x.wrapping_mul(0xc7af_e638);
        x ^= x.wrapping_mul(0x8d22_f6e6);
        x.reverse_bits()
    }
}

/// Index of the first initial number of a polynomial: behind those of all polynomials before it.
const fn first_number(polynomial: usize, degree: usize) -> usize {
    let (mut start, mut first) = (0, 0);
    let mut lower = 1;
    while lower < degree {
        start += lower * OF_DEGREE[lower];
        first += OF_DEGREE[lower];
        lower += 1;
    }
    start + (polynomial - first) * degree
}

/// Number of polynomials of each degree.
const OF_DEGREE: [usize; 14] = {
    let mut counts = [0; 14];
    let mut polynomial = 0;
    while polynomial < POLYNOMIALS.len() {
        counts[POLYNOMIALS[polynomial].ilog2() as usize] += 1;
        polynomial += 1;
    }
    counts
};
