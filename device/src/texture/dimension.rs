/// The number of dimensions in which a texture is sampled: [`D1`], [`D2`], [`D3`] or [`D2Layers`].
///
/// ```
/// use gridwright::texture::{D2, D2Layers, Dimension};
///
/// /// As many texels are mixed by a linear filter.
/// fn texels<D: Dimension>() -> usize {
///     1 << D::AXES
/// }
/// assert_eq!((texels::<D2>(), texels::<D2Layers>()), (4, 4));
/// ```
///
/// # Safety
/// A thread's position on the first [`RANK`](Self::RANK) axes is its own in launches of so many dimensions.
pub unsafe trait Dimension: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Number of the texture's coordinates that are filtered.
    const AXES: usize;
    /// Whether the texture has layers, between which nothing is filtered.
    const IS_LAYERED: bool;
    /// The number of dimensions of a launch in which each thread has a texel.
    const RANK: u32;
}

/// One dimension of a texture: a row of texels.
///
/// ```
/// # use gridwright::prelude::*;
/// fn middle_of_first(line: &gridwright::texture::Texture<f32, gridwright::texture::D1>) -> f32 { // a `Texture1d<f32>`
///     line.sample(0.5)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum D1 {}

/// Two dimensions of a texture: an image.
///
/// ```
/// # use gridwright::prelude::*;
/// fn corner(image: &gridwright::texture::Texture<f32, gridwright::texture::D2>) -> f32 { // a `Texture2d<f32>`
///     image.fetch(0, 0)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum D2 {}

/// Three dimensions of a texture: a volume.
///
/// ```
/// # use gridwright::prelude::*;
/// fn corner(scan: &gridwright::texture::Texture<f32, gridwright::texture::D3>) -> f32 { // a `Texture3d<f32>`
///     scan.fetch(0, 0, 0)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum D3 {}

/// Two dimensions of a texture with layers: several images of one size.
///
/// ```
/// # use gridwright::prelude::*;
/// fn corner_of_last(images: &gridwright::texture::Texture<f32, gridwright::texture::D2Layers>) -> f32 { // a `TextureLayered2d<f32>`
///     images.fetch(images.layers() - 1, 0, 0)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum D2Layers {}

macro_rules! dimensions {
    ($($name:ident: $axes:literal $is_layered:literal $rank:literal;)*) => {$(
        impl sealed::Sealed for $name {}

        // SAFETY: as many axes as the texture has.
        unsafe impl Dimension for $name {
            const AXES: usize = $axes;
            const IS_LAYERED: bool = $is_layered;
            const RANK: u32 = $rank;
        }
    )*};
}

dimensions! {
    D1: 1 false 1;
    D2: 2 false 2;
    D3: 3 false 3;
    D2Layers: 2 true 3;
}

mod sealed {
    pub trait Sealed {}
}
