use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{Sampling, Texel};

use super::{D1, D2, D2Layers, D3, Dimension, Form};
use crate::arch::{self, Texels};

/// A texture, which every thread samples and none writes.
///
/// It is a kernel's `&Texture1d<T>`, `&Texture2d<T>`, `&Texture3d<T>` or `&TextureLayered2d<T>`.
///
/// The host says how a texture is sampled when it makes the texture. `sample` takes float coordinates, of texels, whose
/// middles are at halves, or normalised ones. `fetch` takes whole texels, and isn't filtered. Beyond the edges both
/// read what the address mode says. Any coordinate is safe; what is read at NaN or an infinity isn't specified.
///
/// On NVIDIA it is the hardware that samples, elsewhere software that imitates it. Where nothing is filtered the two agree, but
/// for coordinates within a rounding of the edge between two texels. Filtered, a weight of each axis is a multiple of 1/256
/// and may be the one beside the one that is nearest, so that results differ by up to 1/256 of the difference of neighbouring texels
/// on each axis, and by a rounding for each texel.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Turns an image by a quarter and makes it `n` by `n` pixels.
/// #[gpu_kernel]
/// fn transposed(t: Thread, n: u32, image: &Texture2d<f32>, mut out: PerThread<Matrix<f32>>) {
///     let (x, y) = ((t.col() as f32 + 0.5) / n as f32, (t.row() as f32 + 0.5) / n as f32);
///     if let Some(out) = out.get_mut(t) {
///         *out = image.sample(y, 1.0 - x);
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let image = stream.texture(2, 2, &[1.0_f32, 2.0, 3.0, 4.0], Sampling::linear().normalized())?;
/// let mut out = stream.alloc_matrix_zeroed(2, 2)?;
/// transposed::load(&device)?.launch(&stream, LaunchConfig::for_matrix(2, 2), (2, &image, &mut out))?;
/// assert_eq!(stream.download(&out)?, [3.0, 1.0, 4.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaTextureObject_t`, whose type has the texel's and the number of dimensions.
pub struct Texture<T, D> {
    texels: Texels,
    form: Form,
    _of: PhantomData<fn() -> (T, D)>,
}

/// A texture of one dimension.
///
/// ```
/// # use gridwright::prelude::*;
/// fn blend(colours: &Texture1d<[Norm<u8>; 4]>, place: f32) -> [f32; 4] {
///     colours.sample(place)
/// }
/// ```
pub type Texture1d<T> = Texture<T, D1>;
/// A texture of two dimensions.
///
/// ```
/// # use gridwright::prelude::*;
/// fn difference(t: Thread, image: &Texture2d<f32>) -> f32 {
///     let (col, row) = (t.col() as i32, t.row() as i32);
///     image.fetch(col + 1, row) - image.fetch(col - 1, row)
/// }
/// ```
pub type Texture2d<T> = Texture<T, D2>;
/// A texture of three dimensions.
///
/// ```
/// # use gridwright::prelude::*;
/// /// What a ray sees in steps of one texel.
/// fn along(scan: &Texture3d<f32>, from: [f32; 3], step: [f32; 3]) -> f32 {
///     let at = |i: u16| [0, 1, 2].map(|axis| from[axis] + f32::from(i) * step[axis]);
///     (0..64).map(|i| at(i)).map(|[x, y, z]| scan.sample(x, y, z)).sum()
/// }
/// ```
pub type Texture3d<T> = Texture<T, D3>;
/// A texture of several layers, each of two dimensions. Values aren't filtered between two layers.
///
/// ```
/// # use gridwright::prelude::*;
/// fn mean(images: &TextureLayered2d<f32>, x: f32, y: f32) -> f32 {
///     (0..images.layers()).map(|layer| images.sample(layer, x, y)).sum::<f32>() / images.layers() as f32
/// }
/// ```
pub type TextureLayered2d<T> = Texture<T, D2Layers>;

impl<T, D> Texture<T, D> {
    /// # Safety
    /// `texels` are those of a texture of these sizes, sampled so, which nobody writes while this one is used.
    #[inline(always)]
    pub(crate) unsafe fn new(texels: Texels, extent: [u32; 3], sampling: u32) -> Self {
        let sampling = Sampling::from_bits(sampling);
        Self { texels, form: Form { extent, sampling }, _of: PhantomData }
    }

    /// The number of texels in a row of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_col(image: &Texture2d<f32>) -> usize {
    ///     image.width() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.form.extent[0] as usize
    }

    /// The settings by which the texture is sampled.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_normalized(image: &Texture2d<f32>) -> bool {
    ///     image.sampling().is_normalized()
    /// }
    /// ```
    #[inline(always)]
    pub fn sampling(&self) -> Sampling {
        self.form.sampling
    }
}

impl<T: Texel, D: Dimension> Texture<T, D> {
    #[inline(always)]
    fn sampled(&self, layer: usize, at: [f32; 3]) -> T::Value {
        // SAFETY: `new` asks for it.
        unsafe { arch::sample::<T, D>(self.texels, self.form, narrow(layer), at) }
    }

    #[inline(always)]
    fn fetched(&self, layer: usize, index: [i32; 3]) -> T::Value {
        let layer = narrow(layer).min(self.form.extent[2] - 1);
        // SAFETY: `new` asks for it; the layer is there.
        unsafe { arch::fetch::<T, D>(self.texels, self.form, layer, index) }
    }
}

/// A layer's number as `u32`, which is enough for all layers.
#[inline(always)]
fn narrow(layer: usize) -> u32 {
    layer.min(u32::MAX as usize) as u32
}

impl<T: Texel> Texture<T, D1> {
    /// The texture's value at a coordinate, filtered.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn colour_at(colours: &Texture1d<f32>, x: f32) -> f32 {
    ///     colours.sample(x)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex1D`.
    #[inline(always)]
    pub fn sample(&self, x: f32) -> T::Value {
        self.sampled(0, [x, 0.0, 0.0])
    }

    /// The texture's texel at a column.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn first_colour(colours: &Texture1d<u32>) -> u32 {
    ///     colours.fetch(0)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex1Dfetch`; the texels needn't be in linear memory.
    #[inline(always)]
    pub fn fetch(&self, col: i32) -> T::Value {
        self.fetched(0, [col, 0, 0])
    }
}

impl<T> Texture<T, D2> {
    /// The number of rows of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn middle_row(image: &Texture2d<f32>) -> f32 {
    ///     image.height() as f32 / 2.0
    /// }
    /// ```
    #[inline(always)]
    pub fn height(&self) -> usize {
        self.form.extent[1] as usize
    }
}

impl<T: Texel> Texture<T, D2> {
    /// The texture's value at a column and a row, filtered.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn red_at(image: &Texture2d<[f32; 4]>, x: f32, y: f32) -> f32 {
    ///     let [red, ..] = image.sample(x, y);
    ///     red
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex2D`.
    #[inline(always)]
    pub fn sample(&self, x: f32, y: f32) -> T::Value {
        self.sampled(0, [x, y, 0.0])
    }

    /// The texture's texel at a column and a row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn left_neighbour(t: Thread, image: &Texture2d<u8>) -> u8 {
    ///     image.fetch(t.col() as i32 - 1, t.row() as i32)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex2D` at `col + 0.5` and `row + 0.5`, with point filtering.
    #[inline(always)]
    pub fn fetch(&self, col: i32, row: i32) -> T::Value {
        self.fetched(0, [col, row, 0])
    }
}

impl<T> Texture<T, D3> {
    /// The number of rows of a plane of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn rows_of_plane(scan: &Texture3d<f32>) -> usize {
    ///     scan.height()
    /// }
    /// ```
    #[inline(always)]
    pub fn height(&self) -> usize {
        self.form.extent[1] as usize
    }

    /// The number of planes of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn planes_of_scan(scan: &Texture3d<f32>) -> usize {
    ///     scan.depth()
    /// }
    /// ```
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.form.extent[2] as usize
    }
}

impl<T: Texel> Texture<T, D3> {
    /// The texture's value at a column, a row and a plane, filtered.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn density_at(scan: &Texture3d<f32>, ray: [f32; 3]) -> f32 {
    ///     scan.sample(ray[0], ray[1], ray[2])
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex3D`.
    #[inline(always)]
    pub fn sample(&self, x: f32, y: f32, z: f32) -> T::Value {
        self.sampled(0, [x, y, z])
    }

    /// The texture's texel at a column, a row and a plane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn corner_of_scan(scan: &Texture3d<f32>) -> f32 {
    ///     scan.fetch(0, 0, 0)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex3D` at `col + 0.5`, `row + 0.5` and `plane + 0.5`, with point filtering.
    #[inline(always)]
    pub fn fetch(&self, col: i32, row: i32, plane: i32) -> T::Value {
        self.fetched(0, [col, row, plane])
    }
}

impl<T> Texture<T, D2Layers> {
    /// The number of rows of a layer of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn rows_of_image(images: &TextureLayered2d<f32>) -> usize {
    ///     images.height()
    /// }
    /// ```
    #[inline(always)]
    pub fn height(&self) -> usize {
        self.form.extent[1] as usize
    }

    /// The number of layers of the texture.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn number_of_images(images: &TextureLayered2d<f32>) -> usize {
    ///     images.layers()
    /// }
    /// ```
    #[inline(always)]
    pub fn layers(&self) -> usize {
        self.form.extent[2] as usize
    }
}

impl<T: Texel> Texture<T, D2Layers> {
    /// The texture's value at a column and a row of a layer, filtered in the layer. Beyond the last layer, the last
    /// layer is read.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn change_at(images: &TextureLayered2d<f32>, x: f32, y: f32) -> f32 {
    ///     images.sample(1, x, y) - images.sample(0, x, y)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex2DLayered`.
    #[inline(always)]
    pub fn sample(&self, layer: usize, x: f32, y: f32) -> T::Value {
        self.sampled(layer, [x, y, 0.0])
    }

    /// The texture's texel at a column and a row of a layer. Beyond the last layer, the last layer is read.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn corner_of_first_image(images: &TextureLayered2d<u8>) -> u8 {
    ///     images.fetch(0, 0, 0)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `tex2DLayered` at `col + 0.5` and `row + 0.5`, with point filtering.
    #[inline(always)]
    pub fn fetch(&self, layer: usize, col: i32, row: i32) -> T::Value {
        self.fetched(layer, [col, row, 0])
    }
}

impl<T, D> fmt::Debug for Texture<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texture").field("form", &self.form).finish_non_exhaustive()
    }
}
