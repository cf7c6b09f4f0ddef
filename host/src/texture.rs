use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use gridwright_core::{Address, Filter, RawTexture, Sampling, Texel};
use gridwright_device::{D1, D2, D2Layers, D3, Dimension};

use crate::allocation::Allocation;
use crate::host_memory::zeros;
use crate::profile::Piece;
use crate::submission::{Access, Kind, Place, TextureKind, TextureObjects, TextureShape, forbid};
use crate::transfer::Region;
use crate::{Activity, Device, Error, MatrixBuffer, Stream};

/// A texture in a device's memory, with how it is sampled. Freed when dropped, after the work that uses it.
///
/// A kernel's `&Texture2d<T>` takes a `&TextureBuffer<T, _>` of two dimensions, `Surface2d<T>` a `&mut` one; so with
/// the others.
///
/// ```
/// use gridwright::texture::Sampling;
///
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let image = stream.texture(1, 2, &[1.0_f32, 2.0], Sampling::linear())?;
/// assert_eq!((image.width(), image.height()), (2, 1));
/// assert_eq!(stream.download_texture(&image)?, [1.0, 2.0]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaArray_t` and its `cudaTextureObject_t`; written through, a `cudaSurfaceObject_t`.
pub struct TextureBuffer<T, D> {
    memory: Arc<Allocation>,
    device: Device,
    objects: TextureObjects,
    shape: TextureShape,
    _texels: PhantomData<fn() -> (T, D)>,
}

impl<T: Texel, D: Dimension> TextureBuffer<T, D> {
    /// Texels in a row.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let ramp = stream.texture_1d(&[0_u8, 1, 2], gridwright::texture::Sampling::nearest())?;
    /// assert_eq!(ramp.width(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn width(&self) -> usize {
        self.shape.extent[0]
    }

    /// The number of rows: 1 in one dimension.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let ramp = stream.texture_1d(&[0_u8, 1, 2], gridwright::texture::Sampling::nearest())?;
    /// assert_eq!(ramp.height(), 1);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn height(&self) -> usize {
        self.shape.extent[1]
    }

    /// The number of planes or layers: 1 where there are none.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let cube = stream.texture_3d(2, 1, 1, &[0_u8, 1], gridwright::texture::Sampling::nearest())?;
    /// assert_eq!(cube.depth(), 2);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn depth(&self) -> usize {
        self.shape.extent[2]
    }

    /// How the texture is sampled.
    ///
    /// ```
    /// use gridwright::texture::Sampling;
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let ramp = stream.texture_1d(&[0_u8, 1, 2], Sampling::nearest())?;
    /// assert_eq!(ramp.sampling(), Sampling::nearest());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaTextureDesc`, as `cudaGetTextureObjectTextureDesc` gives it.
    pub fn sampling(&self) -> Sampling {
        self.shape.sampling
    }

    fn place(&self) -> Place {
        self.memory.place()
    }

    /// The memory, for the list of what a launch uses.
    pub(crate) fn region(&self, kind: Kind) -> Region<'_> {
        let len = self.shape.extent.iter().product();
        Region { device: &self.device, place: self.place(), len, kind, owner: Some(&self.memory) }
    }

    /// What a launch is given: the object that samples, or that is written through.
    pub(crate) fn raw(&self, kind: Kind) -> RawTexture {
        let TextureObjects { sampled, fetched, surface } = self.objects;
        RawTexture {
            texels: if kind == Kind::Write { surface } else { sampled },
            fetched,
            // Within limits, which are below that.
            extent: self.shape.extent.map(|size| size as u32),
            sampling: self.shape.sampling.bits(),
        }
    }
}

impl<T, D> fmt::Debug for TextureBuffer<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextureShape { extent, sampling, .. } = &self.shape;
        f.debug_struct("TextureBuffer")
            .field("extent", extent)
            .field("sampling", sampling)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// A new texture of one dimension with a copy of `texels`.
    ///
    /// # Errors
    /// As for [`texture`](Self::texture).
    ///
    /// ```
    /// use gridwright::texture::{Address, Sampling};
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let waves = stream.texture_1d(&[0.0_f32, 1.0], Sampling::linear().address(Address::Wrap).normalized())?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMallocArray` with a height of zero, `cudaMemcpy2DToArray` and `cudaCreateTextureObject`.
    pub fn texture_1d<T: Texel>(
        &self,
        texels: &[T],
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D1>, Error> {
        self.texture_of([texels.len(), 1, 1], texels, sampling)
    }

    /// A new texture of two dimensions with a copy of `texels`, which lie row after row.
    ///
    /// # Errors
    /// [`Error::TextureSize`] if there aren't `rows * cols` of them, or none; [`Error::TextureLimit`] for more rows or columns
    /// than the device takes; [`Error::TextureSampling`] for [`Address::Wrap`] or [`Address::Mirror`] without normalised
    /// coordinates, and for integers that aren't [`Norm`](gridwright_core::Norm)s with [`Filter::Linear`];
    /// [`Error::TexturesMissing`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// use gridwright::texture::{Norm, Sampling};
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let red = [Norm(255_u8), Norm(0), Norm(0), Norm(255)];
    /// let image = stream.texture(2, 2, &[red; 4], Sampling::linear())?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMallocArray`, `cudaMemcpy2DToArray` and `cudaCreateTextureObject`. Rows come before columns here.
    pub fn texture<T: Texel>(
        &self,
        rows: usize,
        cols: usize,
        texels: &[T],
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D2>, Error> {
        self.texture_of([cols, rows, 1], texels, sampling)
    }

    /// A new texture of three dimensions with a copy of `texels`, which lie plane after plane, each row after row.
    ///
    /// # Errors
    /// As for [`texture`](Self::texture).
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let fog = stream.texture_3d(2, 2, 2, &[0.5_f32; 8], gridwright::texture::Sampling::linear())?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc3DArray`, `cudaMemcpy3D` and `cudaCreateTextureObject`. Planes and rows come before columns
    /// here.
    pub fn texture_3d<T: Texel>(
        &self,
        planes: usize,
        rows: usize,
        cols: usize,
        texels: &[T],
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D3>, Error> {
        self.texture_of([cols, rows, planes], texels, sampling)
    }

    /// New layers, each a texture of two dimensions, with a copy of `texels`, which lie layer after layer, each row after row.
    ///
    /// # Errors
    /// As for [`texture`](Self::texture).
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let frames = stream.texture_layered(3, 2, 2, &[0.5_f32; 12], gridwright::texture::Sampling::linear())?;
    /// assert_eq!(frames.depth(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc3DArray` with `cudaArrayLayered`, `cudaMemcpy3D` and `cudaCreateTextureObject`.
    pub fn texture_layered<T: Texel>(
        &self,
        layers: usize,
        rows: usize,
        cols: usize,
        texels: &[T],
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D2Layers>, Error> {
        self.texture_of([cols, rows, layers], texels, sampling)
    }

    /// A new texture with a copy of a matrix, made on the device. The host doesn't wait.
    ///
    /// # Errors
    /// As for [`texture`](Self::texture); [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let matrix = stream.upload_matrix(1, 2, &[1.0_f32, 2.0])?;
    /// let image = stream.texture_from(&matrix, gridwright::texture::Sampling::linear())?;
    /// assert_eq!(stream.download_texture(&image)?, [1.0, 2.0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMallocArray`, `cudaMemcpy2DToArrayAsync` on the device and `cudaCreateTextureObject`.
    pub fn texture_from<T: Texel>(
        &self,
        matrix: &MatrixBuffer<T>,
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D2>, Error> {
        use crate::ReadFrom;
        let from = matrix.region();
        self.check(&from, from.len, "texture_from")?;
        let texture = self.new_texture([matrix.cols(), matrix.rows(), 1], from.len, sampling)?;
        let timing = self.timing(&[from.access(), texture.access(Kind::Write)], || {
            Piece::moves(Activity::CopyOnDevice, texture.shape.bytes())
        });
        // SAFETY: both are of as many texels; the texture is new, and the matrix is borrowed.
        unsafe {
            self.device().backend().copy_to_texture(self.id(), from.place, texture.place(), &texture.shape)
        }?;
        timing.end();
        Ok(texture)
    }

    /// Copies texels to a texture of as many. The slice may be used again when this returns.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignBuffer`], [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut image = stream.texture(1, 2, &[1.0_f32, 2.0], gridwright::texture::Sampling::linear())?;
    /// stream.write_texture(&mut image, &[3.0, 4.0])?;
    /// assert_eq!(stream.download_texture(&image)?, [3.0, 4.0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy2DToArray` or `cudaMemcpy3D`. It waits for the copy and checks the number of texels.
    pub fn write_texture<T: Texel, D: Dimension>(
        &self,
        texture: &mut TextureBuffer<T, D>,
        texels: &[T],
    ) -> Result<(), Error> {
        self.check(&texture.region(Kind::Write), texels.len(), "write_texture")?;
        self.forbid_capture("write_texture")?;
        let bytes: &[u8] = bytemuck::cast_slice(texels);
        let timing =
            self.timing(&[texture.access(Kind::Write)], || Piece::moves(Activity::CopyToDevice, bytes.len()));
        let (id, place, shape) = (self.id(), texture.place(), &texture.shape);
        // SAFETY: the texture is borrowed mutably, and has as many texels.
        self.device().waiting("write_texture", || unsafe {
            self.device().backend().write_texture(id, place, shape, bytes)
        })?;
        timing.end();
        Ok(())
    }

    /// The texels, once the work submitted so far is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] as from [`synchronize`](Self::synchronize), [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let image = stream.texture(1, 2, &[1_u8, 2], gridwright::texture::Sampling::nearest())?;
    /// assert_eq!(stream.download_texture(&image)?, [1, 2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy2DFromArray` or `cudaMemcpy3D`, into a new `Vec`.
    pub fn download_texture<T: Texel, D: Dimension>(
        &self,
        texture: &TextureBuffer<T, D>,
    ) -> Result<Vec<T>, Error> {
        let region = texture.region(Kind::Read);
        self.check(&region, region.len, "download_texture")?;
        self.forbid_capture("download_texture")?;
        let mut texels: Vec<T> = zeros(region.len)?;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut texels);
        let timing = self.timing(&[region.access()], || Piece::moves(Activity::CopyToHost, bytes.len()));
        let (id, place, shape) = (self.id(), region.place, &texture.shape);
        // SAFETY: the texture is borrowed, and has as many texels.
        self.device().waiting("download_texture", || unsafe {
            self.device().backend().read_texture(id, place, shape, bytes)
        })?;
        timing.end();
        self.device().host_panics().report()?;
        Ok(texels)
    }

    fn texture_of<T: Texel, D: Dimension>(
        &self,
        extent: [usize; 3],
        texels: &[T],
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D>, Error> {
        let mut texture = self.new_texture(extent, texels.len(), sampling)?;
        self.write_texture(&mut texture, texels)?;
        Ok(texture)
    }

    /// A texture whose texels the next thing is to write.
    fn new_texture<T: Texel, D: Dimension>(
        &self,
        extent: [usize; 3],
        len: usize,
        sampling: Sampling,
    ) -> Result<TextureBuffer<T, D>, Error> {
        let kind = match (D::AXES, D::IS_LAYERED) {
            (1, _) => TextureKind::Line,
            (2, false) => TextureKind::Plane,
            (2, true) => TextureKind::Layers,
            _ => TextureKind::Volume,
        };
        check_sampling::<T>(sampling)?;
        if len == 0 || extent.iter().try_fold(1_usize, |texels, &size| texels.checked_mul(size)) != Some(len)
        {
            return Err(Error::TextureSize { extent, len });
        }
        forbid("texture")?;
        self.forbid_capture("texture")?;
        let (device, backend) = (self.device(), self.device().backend());
        let limit = backend.texture_limits()?.of(kind);
        if extent.iter().zip(&limit).any(|(size, most)| size > most) {
            return Err(Error::TextureLimit { device: device.name().into(), extent, limit });
        }
        let shape = TextureShape { kind, extent, format: T::FORMAT, channels: T::CHANNELS, sampling };
        let memory = backend.allocate_texture(self.id(), &shape)?;
        // SAFETY: of as many bytes, just now.
        let memory = Arc::new(unsafe { Allocation::new(device.clone(), memory, shape.bytes()) });
        // SAFETY: it is a texture.
        let objects = unsafe { backend.texture_objects(memory.place()) };
        Ok(TextureBuffer { memory, device: device.clone(), objects, shape, _texels: PhantomData })
    }
}

impl<T: Texel, D: Dimension> TextureBuffer<T, D> {
    fn access(&self, kind: Kind) -> Access {
        self.region(kind).access()
    }
}

/// Refuses sampling that hardware doesn't do, on every device.
fn check_sampling<T: Texel>(sampling: Sampling) -> Result<(), Error> {
    let repeats = matches!(sampling.address_mode(), Address::Wrap | Address::Mirror);
    let reason = if repeats && !sampling.is_normalized() {
        "`Address::Wrap` and `Address::Mirror` take normalised coordinates: add `.normalized()`"
    } else if sampling.filter() == Filter::Linear && !T::FORMAT.kind.is_read_as_float() {
        "integers aren't filtered: take `Sampling::nearest()`, or `Norm` texels, which are read as floats"
    } else {
        return Ok(());
    };
    Err(Error::TextureSampling { reason })
}
