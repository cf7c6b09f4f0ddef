//! Decoded operations on textures and surfaces.

use crate::instruction::access::AtomicKind;
use crate::machine::{Predicate, Slot};
use crate::parse::syntax::Type;
use crate::texture::{ArrayKind, Attribute, Beyond, ReferenceKind};

/// How an instruction sees an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Geometry {
    Of(ArrayKind),
    /// Several samples for each texel, or layers of such, which no call of CUDA makes.
    Samples,
}

/// A texel, or a coordinate, of an object.
#[derive(Debug, Clone)]
pub(crate) struct TexelPlace {
    pub(crate) geometry: Geometry,
    /// The row of the object's number.
    pub(crate) object: Slot,
    pub(crate) layer: Option<Slot>,
    pub(crate) coordinates: Vec<Slot>,
}

impl TexelPlace {
    fn narrow(&self) -> impl Iterator<Item = Slot> + '_ {
        self.layer.iter().chain(&self.coordinates).copied()
    }
}

/// The level of detail that is read.
#[derive(Debug, Clone)]
pub(crate) enum DetailSource {
    Base,
    Level(Slot),
    /// Two vectors.
    Gradients([Vec<Slot>; 2]),
}

/// What a read gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Single,
    Integer,
    Half,
    /// Two halves in each register.
    HalfPair,
}

/// `tex` and `tld4`.
#[derive(Debug, Clone)]
pub(crate) struct TextureRead {
    pub(crate) place: TexelPlace,
    /// The row of the number of a sampler that takes the place of the texture's own.
    pub(crate) sampler: Option<Slot>,
    /// Whether coordinates are integers.
    pub(crate) reads_texels: bool,
    pub(crate) detail: DetailSource,
    /// Texels that are added to the coordinates.
    pub(crate) offset: Vec<Slot>,
    /// The channel of which four texels are gathered.
    pub(crate) gathered: Option<usize>,
    pub(crate) element: Element,
    pub(crate) results: Vec<Slot>,
    /// Gets whether the texels are resident.
    pub(crate) resident: Option<Predicate>,
}

/// `txq` and `suq`.
#[derive(Debug, Clone)]
pub(crate) struct ObjectQuery {
    pub(crate) object: Slot,
    pub(crate) attribute: Attribute,
    pub(crate) level: Option<Slot>,
    pub(crate) result: Slot,
    pub(crate) is_surface: bool,
}

/// What is done to a place of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceKind {
    Load,
    Store,
    /// Values become a texel's numbers.
    StoreTexel,
    Reduce(AtomicKind, Type),
    /// The format says whether the integers have a sign.
    ReduceTexel(AtomicKind, Type),
}

/// `suld`, `sust` and `sured`.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceAccess {
    pub(crate) place: TexelPlace,
    pub(crate) kind: SurfaceKind,
    pub(crate) beyond: Beyond,
    /// Bytes of a value.
    pub(crate) size: u32,
    /// Rows, and the bits of their registers.
    pub(crate) values: Vec<(Slot, u8)>,
}

/// `istypep`.
#[derive(Debug, Clone)]
pub(crate) struct ObjectTest {
    pub(crate) object: Slot,
    pub(crate) kind: ReferenceKind,
    pub(crate) result: Predicate,
}

#[derive(Debug, Clone)]
pub(crate) enum TextureOperation {
    Read(TextureRead),
    Query(ObjectQuery),
    Surface(SurfaceAccess),
    Test(ObjectTest),
}

/// Rows that an operation takes something from, or gives it to.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) narrow: Vec<Slot>,
    pub(crate) wide: Vec<Slot>,
    pub(crate) predicate: Option<Predicate>,
}

impl Rows {
    fn values(&mut self, values: &[(Slot, u8)]) {
        for &(slot, bits) in values {
            if bits == 64 { self.wide.push(slot) } else { self.narrow.push(slot) }
        }
    }
}

impl TextureOperation {
    pub(crate) fn sources(&self) -> Rows {
        let mut rows = Rows::default();
        match self {
            Self::Read(read) => {
                rows.wide.push(read.place.object);
                rows.wide.extend(read.sampler);
                rows.narrow.extend(read.place.narrow());
                rows.narrow.extend(&read.offset);
                match &read.detail {
                    DetailSource::Base => {}
                    DetailSource::Level(level) => rows.narrow.push(*level),
                    DetailSource::Gradients(gradients) => rows.narrow.extend(gradients.iter().flatten()),
                }
            }
            Self::Query(query) => {
                rows.wide.push(query.object);
                rows.narrow.extend(query.level);
            }
            Self::Surface(access) => {
                rows.wide.push(access.place.object);
                rows.narrow.extend(access.place.narrow());
                if access.kind != SurfaceKind::Load {
                    rows.values(&access.values);
                }
            }
            Self::Test(test) => rows.wide.push(test.object),
        }
        rows
    }

    pub(crate) fn results(&self) -> Rows {
        let mut rows = Rows::default();
        match self {
            Self::Read(read) => {
                rows.narrow.extend(&read.results);
                rows.predicate = read.resident;
            }
            Self::Query(query) => rows.narrow.push(query.result),
            Self::Surface(access) if access.kind == SurfaceKind::Load => rows.values(&access.values),
            Self::Surface(_) => {}
            Self::Test(test) => rows.predicate = Some(test.result),
        }
        rows
    }
}
