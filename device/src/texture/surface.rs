use core::fmt;
use core::marker::PhantomData;

use gridwright_core::Texel;

use super::{D1, D2, D2Layers, D3, Dimension};
use crate::Thread;
use crate::arch::{self, LaunchId, Texels};

/// A texture that a kernel writes, each thread the texel at its own position.
///
/// It is a kernel's `Surface1d<T>`, `Surface2d<T>`, `Surface3d<T>` or `SurfaceLayered2d<T>`.
///
/// The column of a texel is the thread's, and so are the row, and the plane or layer. The launch has as many dimensions
/// at most, so no two threads write one texel. Nothing is read, and the host's borrows keep a texture from being
/// sampled and written in one launch; the next may sample what this one wrote.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn gradient(t: Thread, image: Surface2d<f32>) {
///     image.set(t, (t.row() * 10 + t.col()) as f32);
/// }
///
/// #[gpu_kernel]
/// fn between(t: Thread, image: &Texture2d<f32>, mut out: PerThread<[f32]>) {
///     if let Some(out) = out.get_mut(t) {
///         *out = image.sample(1.0, 1.0);
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut image = stream.texture(2, 2, &[0.0_f32; 4], Sampling::linear())?;
/// gradient::load(&device)?.launch(&stream, LaunchConfig::for_matrix(2, 2), (&mut image,))?;
/// let mut out = stream.alloc_zeroed(1)?;
/// between::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&image, &mut out))?;
/// assert_eq!(stream.download(&out)?, [5.5]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaSurfaceObject_t`, to write only.
pub struct Surface<'k, T, D> {
    texels: Texels,
    extent: [u32; 3],
    launch: LaunchId,
    _of: PhantomData<Of<'k, T, D>>,
}

/// Marker of texels that are written, in the dimensions `D`.
type Of<'k, T, D> = (&'k (), fn(T, D));

/// A surface of one dimension.
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn ramp(t: Thread, line: Surface1d<f32>) {
///     line.set(t, t.index() as f32);
/// }
/// ```
pub type Surface1d<'k, T> = Surface<'k, T, D1>;
/// A surface of two dimensions.
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn grey(t: Thread, level: f32, image: Surface2d<[Norm<u8>; 4]>) {
///     let level = Norm::<u8>::new(level);
///     image.set(t, [level, level, level, Norm(255)]);
/// }
/// ```
pub type Surface2d<'k, T> = Surface<'k, T, D2>;
/// A surface of three dimensions.
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn planes(t: Thread, volume: Surface3d<f32>) {
///     volume.set(t, t.plane() as f32);
/// }
/// ```
pub type Surface3d<'k, T> = Surface<'k, T, D3>;
/// A surface of several layers, each of two dimensions.
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn layers(t: Thread, images: SurfaceLayered2d<f32>) {
///     images.set(t, t.plane() as f32); // the thread's plane is the layer
/// }
/// ```
pub type SurfaceLayered2d<'k, T> = Surface<'k, T, D2Layers>;

// SAFETY: each thread writes its own texel only.
unsafe impl<T: Send, D> Send for Surface<'_, T, D> {}
// SAFETY: threads that share it write each its own texel only.
unsafe impl<T: Send, D> Sync for Surface<'_, T, D> {}

impl<T: Texel, D: Dimension> Surface<'_, T, D> {
    /// # Safety
    /// `texels` are those of a texture of these sizes, which this launch's threads alone access, each its own, in a launch of
    /// at most [`Dimension::RANK`] dimensions.
    #[inline(always)]
    pub(crate) unsafe fn new(texels: Texels, extent: [u32; 3], launch: LaunchId) -> Self {
        Self { texels, extent, launch, _of: PhantomData }
    }

    /// Writes the texel at the thread's position, or nothing for a thread beyond the edges.
    ///
    /// # Panics
    /// On the CPU, where the thread is one of another launch: kernels can be launched from what a kernel's closures call.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn paint_red(t: Thread, image: Surface2d<[Norm<u8>; 4]>) {
    ///     image.set(t, [Norm(255), Norm(0), Norm(0), Norm(255)]);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `surf1Dwrite`, `surf2Dwrite`, `surf3Dwrite` and `surf2DLayeredwrite`, but no column is counted in bytes.
    #[inline(always)]
    pub fn set(&self, t: Thread<'_>, value: T) {
        assert!(t.identity.is_of(self.launch), "the thread is one of another launch");
        let [width, height, depth] = self.extent.map(|size| size as usize);
        let place = [t.col(), t.row(), t.plane()];
        if (place[0] < width) & (place[1] < height) & (place[2] < depth) {
            // SAFETY: inside, and this thread's own in a launch of the surface's dimensions.
            unsafe { arch::store::<T, D>(self.texels, self.extent, place.map(|at| at as u32), value) };
        }
    }

    /// The number of texels in a row of the surface.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn width_of_image(image: Surface2d<f32>) -> usize {
    ///     image.width()
    /// }
    /// ```
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.extent[0] as usize
    }

    /// The number of rows of the surface: 1 in one dimension.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn height_of_image(image: Surface2d<f32>) -> usize {
    ///     image.height()
    /// }
    /// ```
    #[inline(always)]
    pub fn height(&self) -> usize {
        self.extent[1] as usize
    }
}

impl<T, D> fmt::Debug for Surface<'_, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface").field("extent", &self.extent).finish_non_exhaustive()
    }
}
