//! Reads of textures and writes of surfaces, lane by lane.
//!
//! A surface's writes aren't part of the check of races, nor is a texture that is written while it is read.

use std::sync::Arc;

use super::WARP;
use super::core::Fault;
use super::lanes::Lanes;
use super::lanes_of;
use super::memory::Done;
use crate::instruction::{Slot, SurfaceStore, TexelPlace, TextureRead};
use crate::report::FindingKind;
use crate::texture::{Array, ArrayKind, Coordinates, Object, sample};

impl Lanes<'_> {
    pub(super) fn read_texture(&mut self, read: &TextureRead, mask: u32) -> Done {
        let mut rows = [[0; WARP]; 4];
        let mut last = None;
        for lane in lanes_of(mask) {
            let number = self.wide(read.place.object)[lane];
            let object = self.object(number, lane, &mut last)?;
            let Object::Texture(array, sampler) = &*object else {
                return Err(wrong(lane, number, "a surface is read as a texture"));
            };
            check_kind(array, &read.place, number, lane)?;
            if sampler.reads_floats(array) != read.reads_floats {
                return Err(wrong(lane, number, "integers are read as floats, or floats as integers"));
            }
            let row = self.coordinates(&read.place.coordinates, lane);
            let at = if read.reads_texels {
                Coordinates::Texels(row.map(|at| at as i32))
            } else {
                Coordinates::Floats(row.map(f32::from_bits))
            };
            let registers = sample(array, sampler, self.layer(&read.place, lane), at);
            for (row, register) in rows.iter_mut().zip(registers) {
                row[lane] = register;
            }
        }
        for (slot, row) in read.results.iter().zip(&rows) {
            self.write_narrow(*slot, mask, row);
        }
        Ok(())
    }

    pub(super) fn store_surface(&mut self, store: &SurfaceStore, mask: u32) -> Done {
        let mut last = None;
        for lane in lanes_of(mask) {
            let number = self.wide(store.place.object)[lane];
            let object = self.object(number, lane, &mut last)?;
            let Object::Surface(array) = &*object else {
                return Err(wrong(lane, number, "a texture is written as a surface"));
            };
            check_kind(array, &store.place, number, lane)?;
            let shape = array.shape();
            let bytes = store.size * store.values.len() as u32;
            if bytes != shape.texel_bytes() {
                return Err(wrong(lane, number, "a write of another size than a texel's"));
            }
            let [x, y, z] = self.coordinates(&store.place.coordinates, lane).map(|at| at as i32);
            let at =
                [x, y, if store.place.layer.is_some() { self.layer(&store.place, lane) as i32 } else { z }];
            // A column is counted in bytes.
            let place = [at[0] / bytes as i32, at[1], at[2]];
            let is_inside = |axis: usize| u32::try_from(place[axis]).is_ok_and(|at| at < shape.extent[axis]);
            if at[0] < 0 || at[0] % bytes as i32 != 0 || !(0..3).all(is_inside) {
                return Err(Fault::new(lane, FindingKind::OutsideSurface { at, extent: shape.extent }));
            }
            let mut texel = [0; 16];
            for (slot, part) in store.values.iter().zip(texel.chunks_exact_mut(store.size as usize)) {
                let value = self.narrow(*slot)[lane].to_le_bytes();
                part.copy_from_slice(&value[..store.size as usize]);
            }
            array.set(place.map(|at| at as u32), &texel[..bytes as usize]);
        }
        Ok(())
    }

    /// The object of a number; most often it is that of the lane before.
    fn object(&self, number: u64, lane: usize, last: &mut Option<(u64, Arc<Object>)>) -> Done<Arc<Object>> {
        if let Some((known, object)) = last
            && *known == number
        {
            return Ok(Arc::clone(object));
        }
        let found = self.core.shared.objects.get(number);
        let object = found.ok_or_else(|| wrong(lane, number, "there is no such texture or surface"))?;
        *last = Some((number, Arc::clone(&object)));
        Ok(object)
    }

    /// The coordinates: up to three, and zeros.
    fn coordinates(&self, slots: &[Slot], lane: usize) -> [u32; 3] {
        std::array::from_fn(|axis| slots.get(axis).map_or(0, |slot| self.narrow(*slot)[lane]))
    }

    fn layer(&self, place: &TexelPlace, lane: usize) -> u32 {
        place.layer.map_or(0, |slot| self.narrow(slot)[lane])
    }
}

fn wrong(lane: usize, object: u64, problem: &'static str) -> Box<Fault> {
    Fault::new(lane, FindingKind::TextureObject { object, problem })
}

fn check_kind(array: &Array, place: &TexelPlace, number: u64, lane: usize) -> Done {
    let kind: ArrayKind = array.shape().kind;
    if kind == place.kind { Ok(()) } else { Err(wrong(lane, number, "it has other dimensions")) }
}
