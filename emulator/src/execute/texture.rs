//! Operations on textures and surfaces, lane by lane.
//!
//! A surface's writes aren't part of the check of races, nor is a texture that is written while it is read.

use std::sync::Arc;

use half::f16;

use super::state::ActiveLanes;
use crate::instruction::{
    DetailSource, Element, Geometry, ObjectQuery, ObjectTest, TexelPlace, TextureOperation, TextureRead,
};
use crate::machine::{Done, Fault, Slot, WARP, lanes_of};
use crate::report::{FindingKind, MemoryAccess, MemoryError, Space};
use crate::texture::{
    ArrayKind, Coordinates, Detail, Lookup, Object, ReferenceKind, Sampler, Texture, gather, query, sample,
};

/// The object that a lane named last.
pub(super) type Last = Option<(u64, Arc<Object>)>;

impl ActiveLanes<'_> {
    pub(super) fn texture(&mut self, operation: &TextureOperation, mask: u32) -> Done {
        match operation {
            TextureOperation::Read(read) => self.read_texture(read, mask),
            TextureOperation::Query(query) => self.query_object(query, mask),
            TextureOperation::Surface(access) => self.access_surface(access, mask),
            TextureOperation::Test(test) => {
                self.test_object(test, mask);
                Ok(())
            }
        }
    }

    fn read_texture(&mut self, read: &TextureRead, mask: u32) -> Done {
        let mut rows = [[0; WARP]; 4];
        let (mut last, mut last_sampler) = (None, None);
        for lane in lanes_of(mask) {
            let number = self.wide(read.place.object)[lane];
            let object = self.object(number, lane, &mut last)?;
            let Object::Texture(texture) = &*object else {
                return Err(not_a(&object, ReferenceKind::Texture, lane, number));
            };
            check_geometry(texture, &read.place, number, lane)?;
            let mut sampler = texture.sampler;
            if let Some(slot) = read.sampler {
                let number = self.wide(slot)[lane];
                let object = self.object(number, lane, &mut last_sampler)?;
                let Object::Sampler(own) = &*object else {
                    return Err(not_a(&object, ReferenceKind::Sampler, lane, number));
                };
                sampler = with_sampler(&sampler, own);
            }
            let reads_floats = sampler.reads_floats(texture.format);
            if reads_floats != (read.element != Element::Integer) {
                return Err(wrong(lane, number, "integers are read as floats, or floats as integers"));
            }
            let lookup = self.lookup(read, lane);
            let numbers = match read.gathered {
                Some(channel) => gather(texture, &sampler, &lookup, channel),
                None => sample(texture, &sampler, &lookup),
            };
            let registers = registers(numbers, read.element);
            for (row, register) in rows.iter_mut().zip(registers) {
                row[lane] = register;
            }
        }
        for (slot, row) in read.results.iter().zip(&rows) {
            self.write_narrow(*slot, mask, row);
        }
        if let Some(resident) = read.resident {
            // All texels are there.
            self.set_predicate(resident, mask, u32::MAX);
        }
        Ok(())
    }

    fn lookup(&self, read: &TextureRead, lane: usize) -> Lookup {
        let at = self.coordinates(&read.place.coordinates, lane);
        let coordinates = if read.reads_texels {
            Coordinates::Texels(at.map(|at| at as i32))
        } else {
            Coordinates::Floats(at.map(f32::from_bits))
        };
        let detail = match &read.detail {
            DetailSource::Base => Detail::Base,
            DetailSource::Level(slot) => Detail::Level(self.narrow(*slot)[lane]),
            DetailSource::Gradients([right, down]) => {
                let of = |slots: &[Slot]| self.coordinates(slots, lane).map(f32::from_bits);
                Detail::Gradients([of(right), of(down)])
            }
        };
        // Four bits of each are looked at.
        let offset = self.coordinates(&read.offset, lane).map(|at| i64::from((at as i32) << 28 >> 28));
        Lookup { layer: self.layer(&read.place, lane), coordinates, detail, offset }
    }

    fn query_object(&mut self, asked: &ObjectQuery, mask: u32) -> Done {
        let mut row = [0; WARP];
        let mut last = None;
        for lane in lanes_of(mask) {
            let number = self.wide(asked.object)[lane];
            let object = self.object(number, lane, &mut last)?;
            if (object.kind() == ReferenceKind::Surface) != asked.is_surface {
                let kind = if asked.is_surface { ReferenceKind::Surface } else { ReferenceKind::Texture };
                return Err(not_a(&object, kind, lane, number));
            }
            let level = asked.level.map_or(0, |slot| self.narrow(slot)[lane]);
            row[lane] = query(&object, asked.attribute, level)
                .ok_or_else(|| wrong(lane, number, "it has nothing of what is asked for"))?;
        }
        self.write_narrow(asked.result, mask, &row);
        Ok(())
    }

    fn test_object(&mut self, test: &ObjectTest, mask: u32) {
        let mut found = 0;
        for lane in lanes_of(mask) {
            let object = self.core.shared.objects.get(self.wide(test.object)[lane]);
            found |= u32::from(object.is_some_and(|object| object.kind() == test.kind)) << lane;
        }
        self.set_predicate(test.result, mask, found);
    }

    /// The object of a number; most often it is that of the lane before.
    pub(super) fn object(&self, number: u64, lane: usize, last: &mut Last) -> Done<Arc<Object>> {
        if let Some((known, object)) = last
            && *known == number
        {
            return Ok(Arc::clone(object));
        }
        let found = self.core.shared.objects.get(number);
        let object = found.ok_or_else(|| wrong(lane, number, "there is no such texture or surface"))?;
        object.check(&self.core.shared.memory).map_err(|error| not_there(lane, &error))?;
        *last = Some((number, Arc::clone(&object)));
        Ok(object)
    }

    /// The coordinates: up to three, and zeros.
    pub(super) fn coordinates(&self, slots: &[Slot], lane: usize) -> [u32; 3] {
        std::array::from_fn(|axis| slots.get(axis).map_or(0, |slot| self.narrow(*slot)[lane]))
    }

    pub(super) fn layer(&self, place: &TexelPlace, lane: usize) -> u32 {
        place.layer.map_or(0, |slot| self.narrow(slot)[lane])
    }
}

/// A texture's way to be sampled, of which a sampler of its own says what it says.
fn with_sampler(texture: &Sampler, own: &Sampler) -> Sampler {
    Sampler {
        address: own.address,
        is_linear: own.is_linear,
        is_normalized: texture.is_normalized && own.is_normalized,
        ..*texture
    }
}

fn registers(numbers: [f64; 4], element: Element) -> [u32; 4] {
    let half = |number: f64| u32::from(f16::from_f64(number).to_bits());
    match element {
        Element::Single => numbers.map(|number| (number as f32).to_bits()),
        Element::Integer => numbers.map(|number| number as i64 as u32),
        Element::Half => numbers.map(half),
        Element::HalfPair => {
            let [r, g, b, a] = numbers.map(half);
            [r | g << 16, b | a << 16, 0, 0]
        }
    }
}

pub(super) fn wrong(lane: usize, object: u64, problem: &'static str) -> Box<Fault> {
    Fault::new(lane, FindingKind::TextureObject { object, problem })
}

/// An object that isn't of the kind that is taken, or to which nothing is bound.
pub(super) fn not_a(object: &Object, kind: ReferenceKind, lane: usize, number: u64) -> Box<Fault> {
    let problem = match (kind, object.kind()) {
        (wanted, found) if wanted == found => "nothing is bound to the reference",
        (ReferenceKind::Texture, ReferenceKind::Surface) => "a surface is read as a texture",
        (ReferenceKind::Surface, ReferenceKind::Texture) => "a texture is accessed as a surface",
        (ReferenceKind::Sampler, _) => "it isn't a sampler",
        _ => "a sampler is accessed",
    };
    wrong(lane, number, problem)
}

fn not_there(lane: usize, error: &MemoryError) -> Box<Fault> {
    let access = |address: u64, bytes: u64| MemoryAccess {
        space: Space::Global,
        address,
        size: u32::try_from(bytes).unwrap_or(u32::MAX),
        is_write: false,
        nearest: None,
    };
    let kind = match *error {
        MemoryError::Freed { address, bytes } => FindingKind::UseAfterFree(access(address, bytes)),
        MemoryError::OutOfBounds { address, bytes } => FindingKind::OutOfBounds(access(address, bytes)),
        _ => FindingKind::OutOfBounds(access(0, 0)),
    };
    Fault::new(lane, kind)
}

fn check_geometry(texture: &Texture, place: &TexelPlace, number: u64, lane: usize) -> Done {
    if place.geometry == Geometry::Of(texture.kind) {
        Ok(())
    } else {
        Err(wrong(lane, number, "it has other dimensions"))
    }
}

/// Whether an instruction reaches a surface. Faces of cubes are layers.
pub(super) fn reaches(geometry: Geometry, kind: ArrayKind) -> bool {
    geometry == Geometry::Of(if kind.is_cube() { ArrayKind::Layers } else { kind })
}
