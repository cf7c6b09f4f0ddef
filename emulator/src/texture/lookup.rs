//! What a lane asks of a texture.

/// Place where a lane samples.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Coordinates {
    Floats([f32; 3]),
    /// Whole texels, which aren't filtered.
    Texels([i32; 3]),
}

/// What an instruction says of the level of detail.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail {
    /// Nothing: the finest that the sampler allows.
    Base,
    /// Its number, as an integer where coordinates are.
    Level(u32),
    /// How the coordinates change from a pixel of an image to the next, to the right and down.
    Gradients([[f32; 3]; 2]),
}

/// What a lane asks of a texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup {
    pub(crate) layer: u32,
    pub(crate) coordinates: Coordinates,
    pub(crate) detail: Detail,
    /// Texels that are added on each axis.
    pub(crate) offset: [i64; 3],
}
