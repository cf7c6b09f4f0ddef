use crate::Slot;

/// A texture, or a surface, on its way to a kernel.
///
/// Where the device samples by hardware, `texels` and `fetched` are numbers of its driver's objects; elsewhere both are the
/// address of the first texel, and rows lie one after another.
#[derive(Clone, Copy, Debug)]
pub struct RawTexture {
    /// The object that samples, of a surface the one that writes; or the address.
    pub texels: u64,
    /// The object that gives single texels, or the address.
    pub fetched: u64,
    /// Width, height, and depth or layers, each at least 1.
    pub extent: [u32; 3],
    /// The sampling, as [`Sampling::bits`](crate::Sampling::bits) gives it.
    pub sampling: u32,
}

impl RawTexture {
    /// The slots of a texture: two numbers of 64 bits, and four of 32.
    pub fn slots(&self, mut slot: impl FnMut(Slot)) {
        slot(Slot::At((&raw const self.texels).cast()));
        slot(Slot::At((&raw const self.fetched).cast()));
        for size in &self.extent {
            slot(Slot::At((&raw const *size).cast()));
        }
        slot(Slot::At((&raw const self.sampling).cast()));
    }
}

/// What `requires = …` sees of a texture or a surface.
#[derive(Clone, Copy, Debug)]
pub struct TextureExtent {
    /// Width, height, and depth or layers.
    pub extent: [u32; 3],
}

impl TextureExtent {
    /// Texels in a row.
    pub fn width(&self) -> usize {
        self.extent[0] as usize
    }

    /// The number of rows: 1 in one dimension.
    pub fn height(&self) -> usize {
        self.extent[1] as usize
    }

    /// The number of planes: 1 in fewer than three dimensions.
    pub fn depth(&self) -> usize {
        self.extent[2] as usize
    }

    /// The number of layers: 1 where there are none.
    pub fn layers(&self) -> usize {
        self.extent[2] as usize
    }
}
