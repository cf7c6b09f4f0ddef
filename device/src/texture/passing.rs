use core::marker::PhantomData;

use gridwright_core::{Description, Layout, Param, RawTexture, Slot, Texel, TextureExtent};

use super::{Dimension, Surface, Texture};

/// The passing of a `&Texture<T, D>`: each thread samples the texture.
#[derive(Debug)]
pub struct ReadTexture<T, D>(PhantomData<fn() -> (T, D)>);

/// The passing of a `Surface<T, D>`: each thread writes its own texel.
#[derive(Debug)]
pub struct OwnTexels<T, D>(PhantomData<fn() -> (T, D)>);

macro_rules! parameters {
    ($($parameter:ty => $passing:ident, $rank:expr, $spelling:literal;)*) => {$(
        // SAFETY: the extent is the texture's; of a texture nothing is owned, and a surface's texels are owned by position.
        unsafe impl<T: Texel, D: Dimension> Param for $parameter {
            type Raw = RawTexture;
            type Extent = TextureExtent;
            type Passing = $passing<T, D>;
            const RANK: u32 = $rank;

            fn extent(raw: &RawTexture) -> TextureExtent {
                TextureExtent { extent: raw.extent }
            }

            fn describe(raw: &RawTexture) -> Description {
                Description::Texture { extent: raw.extent }
            }

            const LAYOUT: Layout = T::LAYOUT;
            const SPELLING: &'static str = $spelling;
            const MAP: &'static str = match (D::AXES, D::IS_LAYERED) {
                (1, false) => "D1",
                (2, false) => "D2",
                (2, true) => "D2Layers",
                _ => "D3",
            };

            fn slots(raw: &RawTexture, slot: impl FnMut(Slot)) {
                raw.slots(slot);
            }
        }
    )*};
}

parameters! {
    &'static Texture<T, D> => ReadTexture, 3, "&Texture<_>";
    Surface<'static, T, D> => OwnTexels, D::RANK, "Surface<_>";
}
