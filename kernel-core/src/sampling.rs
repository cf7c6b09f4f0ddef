/// How a texture is sampled: the filter, what is beyond the edges, and what coordinates mean.
///
/// Coordinates count texels, so that the middle of the first one is at 0.5, or with [`normalized`](Self::normalized) are
/// fractions of each extent, from 0 to 1.
///
/// ```
/// use gridwright_core::{Address, Filter, Sampling};
///
/// let sampling = Sampling::linear().address(Address::Wrap).normalized();
/// assert_eq!(sampling.filter(), Filter::Linear);
/// assert!(sampling.is_normalized());
/// assert_eq!(Sampling::nearest().address_mode(), Address::Clamp);
/// ```
///
/// # From CUDA
/// `cudaTextureDesc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampling {
    filter: Filter,
    address: Address,
    is_normalized: bool,
}

/// A filter: what is made of the texels around a coordinate.
///
/// ```
/// use gridwright_core::{Filter, Sampling};
///
/// assert_eq!(Sampling::nearest().filter(), Filter::Nearest);
/// assert_eq!(Sampling::linear().filter(), Filter::Linear);
/// ```
///
/// # From CUDA
/// `cudaTextureFilterMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The texel that the coordinate is in.
    ///
    /// # From CUDA
    /// `cudaFilterModePoint`.
    Nearest,
    /// The mean of the two nearest texels on each axis, weighted by distance. The weights are multiples of
    /// 1/256.
    ///
    /// # From CUDA
    /// `cudaFilterModeLinear`.
    Linear,
}

/// An address mode: what is read beyond a texture's edges.
///
/// ```
/// use gridwright_core::{Address, Sampling};
///
/// let tiles = Sampling::linear().address(Address::Mirror).normalized();
/// assert_eq!(tiles.address_mode(), Address::Mirror);
/// ```
///
/// # From CUDA
/// `cudaTextureAddressMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// The texel at the edge.
    ///
    /// # From CUDA
    /// `cudaAddressModeClamp`.
    Clamp,
    /// Zero.
    ///
    /// # From CUDA
    /// `cudaAddressModeBorder`, whose border is always zero here.
    Border,
    /// The texture again, as tiles repeat. With normalised coordinates only.
    ///
    /// # From CUDA
    /// `cudaAddressModeWrap`. Without normalised coordinates it is an error here rather than a clamp.
    Wrap,
    /// The texture again, every other time reflected. With normalised coordinates only.
    ///
    /// # From CUDA
    /// `cudaAddressModeMirror`. Without normalised coordinates it is an error here rather than a clamp.
    Mirror,
}

impl Sampling {
    /// Sampling of the texel that a coordinate is in; beyond the edges, of the one at the edge.
    ///
    /// ```
    /// let sampling = gridwright_core::Sampling::nearest();
    /// ```
    ///
    /// # From CUDA
    /// `cudaFilterModePoint` and `cudaAddressModeClamp`.
    pub const fn nearest() -> Self {
        Self { filter: Filter::Nearest, address: Address::Clamp, is_normalized: false }
    }

    /// Sampling of the mean of the nearest texels, weighted; beyond the edges, of the one at the edge.
    ///
    /// ```
    /// let sampling = gridwright_core::Sampling::linear();
    /// ```
    ///
    /// # From CUDA
    /// `cudaFilterModeLinear` and `cudaAddressModeClamp`.
    pub const fn linear() -> Self {
        Self { filter: Filter::Linear, ..Self::nearest() }
    }

    /// Sets what is read beyond the edges, on every axis.
    ///
    /// ```
    /// use gridwright_core::{Address, Sampling};
    ///
    /// let sampling = Sampling::nearest().address(Address::Border);
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc::addressMode`, one mode for all axes.
    #[must_use]
    pub const fn address(self, address: Address) -> Self {
        Self { address, ..self }
    }

    /// Has coordinates be fractions of each extent. Layers are counted all the same.
    ///
    /// ```
    /// let sampling = gridwright_core::Sampling::linear().normalized();
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc::normalizedCoords`.
    #[must_use]
    pub const fn normalized(self) -> Self {
        Self { is_normalized: true, ..self }
    }

    /// The filter.
    ///
    /// ```
    /// use gridwright_core::{Filter, Sampling};
    ///
    /// assert_eq!(Sampling::nearest().filter(), Filter::Nearest);
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc::filterMode`.
    pub const fn filter(self) -> Filter {
        self.filter
    }

    /// What is read beyond the edges.
    ///
    /// ```
    /// use gridwright_core::{Address, Sampling};
    ///
    /// assert_eq!(Sampling::linear().address_mode(), Address::Clamp);
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc::addressMode`.
    pub const fn address_mode(self) -> Address {
        self.address
    }

    /// Whether coordinates are fractions of each extent.
    ///
    /// ```
    /// assert!(!gridwright_core::Sampling::linear().is_normalized());
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc::normalizedCoords`.
    pub const fn is_normalized(self) -> bool {
        self.is_normalized
    }

    /// The sampling as a number, in which it crosses to a GPU.
    #[doc(hidden)]
    pub const fn bits(self) -> u32 {
        self.filter as u32 | (self.address as u32) << 1 | (self.is_normalized as u32) << 3
    }

    /// The sampling that [`bits`](Self::bits) gave a number for.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        let filter = if bits & 1 == 0 { Filter::Nearest } else { Filter::Linear };
        let address = match bits >> 1 & 3 {
            0 => Address::Clamp,
            1 => Address::Border,
            2 => Address::Wrap,
            _ => Address::Mirror,
        };
        Self { filter, address, is_normalized: bits >> 3 & 1 == 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Sampling};

    #[test]
    fn bits_come_back_as_they_went() {
        for filter in [Sampling::nearest(), Sampling::linear()] {
            for address in [Address::Clamp, Address::Border, Address::Wrap, Address::Mirror] {
                for sampling in [filter.address(address), filter.address(address).normalized()] {
                    assert_eq!(Sampling::from_bits(sampling.bits()), sampling);
                }
            }
        }
    }
}
