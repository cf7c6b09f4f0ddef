//! Loads, stores and reductions of surfaces, lane by lane.

use super::atomic::updated;
use super::state::ActiveLanes;
use super::texture::{not_a, reaches, wrong};
use crate::instruction::{SurfaceAccess, SurfaceKind};
use crate::machine::{Done, Fault, Slot, WARP, lanes_of};
use crate::parse::syntax::Type;
use crate::report::FindingKind;
use crate::texture::{Object, ReferenceKind, Refused, Surface, TexelKind};

impl ActiveLanes<'_> {
    pub(super) fn access_surface(&mut self, access: &SurfaceAccess, mask: u32) -> Done {
        let mut loaded = vec![[0_u64; WARP]; access.values.len()];
        let mut last = None;
        for lane in lanes_of(mask) {
            let number = self.wide(access.place.object)[lane];
            let object = self.object(number, lane, &mut last)?;
            let Object::Surface(surface) = &*object else {
                return Err(not_a(&object, ReferenceKind::Surface, lane, number));
            };
            if !reaches(access.place.geometry, surface.kind) {
                return Err(wrong(lane, number, "it has other dimensions"));
            }
            let values = self.surface_values(access, lane);
            let read =
                access_lane(surface, access, self.surface_place(access, surface, lane), &values, lane)?;
            for (row, value) in loaded.iter_mut().zip(read) {
                row[lane] = value;
            }
        }
        if access.kind == SurfaceKind::Load {
            for (&(slot, bits), row) in access.values.iter().zip(&loaded) {
                if bits == 64 {
                    self.write_wide(slot, mask, row);
                } else {
                    self.write_narrow(slot, mask, &row.map(|value| value as u32));
                }
            }
        }
        Ok(())
    }

    fn surface_values(&self, access: &SurfaceAccess, lane: usize) -> Vec<u64> {
        let value = |&(slot, bits): &(Slot, u8)| {
            if bits == 64 { self.wide(slot)[lane] } else { self.narrow(slot)[lane].into() }
        };
        access.values.iter().map(value).collect()
    }

    /// Where a lane's access goes: the column in bytes, the row, and the plane or layer.
    fn surface_place(&self, access: &SurfaceAccess, surface: &Surface, lane: usize) -> [i64; 3] {
        let [x, y, z] = self.coordinates(&access.place.coordinates, lane).map(|at| i64::from(at as i32));
        let unit = match access.kind {
            SurfaceKind::Load | SurfaceKind::Store | SurfaceKind::Reduce(..) => 1,
            SurfaceKind::StoreTexel | SurfaceKind::ReduceTexel(..) => surface.format.bytes(),
        };
        let plane = if access.place.layer.is_some() { self.layer(&access.place, lane).into() } else { z };
        [x * i64::from(unit), y, plane]
    }
}

/// What a lane loads; zeros where it doesn't.
fn access_lane(
    surface: &Surface,
    access: &SurfaceAccess,
    at: [i64; 3],
    values: &[u64],
    lane: usize,
) -> Done<[u64; 4]> {
    let size = access.size as usize;
    let texel = surface.format.bytes();
    let bytes = match access.kind {
        SurfaceKind::StoreTexel => texel,
        // A texel that is reduced is one integer.
        SurfaceKind::ReduceTexel(..) if texel != access.size => {
            return Err(outside(surface, at, lane));
        }
        _ => access.size * access.values.len() as u32,
    };
    let place = surface.place(at, bytes, access.beyond).map_err(|refused| match refused {
        Refused::Outside => outside(surface, at, lane),
        Refused::Misaligned => outside(surface, at, lane),
    })?;
    let mut loaded = [0; 4];
    let Some(place) = place else { return Ok(loaded) };
    let (column, row, plane) = (place.column, place.row, place.plane);
    let mut bytes_there = [0; 16];
    let bytes_there = &mut bytes_there[..bytes as usize];
    match access.kind {
        SurfaceKind::Load => {
            surface.texels.read(column, row, plane, bytes_there);
            for (value, part) in loaded.iter_mut().zip(bytes_there.chunks_exact(size)) {
                let mut whole = [0; 8];
                whole[..size].copy_from_slice(part);
                *value = u64::from_le_bytes(whole);
            }
        }
        SurfaceKind::Store => {
            for (value, part) in values.iter().zip(bytes_there.chunks_exact_mut(size)) {
                part.copy_from_slice(&value.to_le_bytes()[..size]);
            }
            surface.texels.write(column, row, plane, bytes_there);
        }
        SurfaceKind::StoreTexel => {
            let registers: Vec<u32> = values.iter().map(|&value| value as u32).collect();
            let texel = surface.format.bytes_of(&registers);
            surface.texels.write(column, row, plane, &texel[..bytes as usize]);
        }
        SurfaceKind::Reduce(kind, ty) => {
            let value = values.first().copied().unwrap_or(0);
            surface.texels.update(column, row, plane, access.size, |old| updated(kind, ty, old, value, 0));
        }
        SurfaceKind::ReduceTexel(kind, ty) => {
            let ty = match surface.format.texel {
                TexelKind::Signed => Type::Signed(ty.bits()),
                _ => Type::Unsigned(ty.bits()),
            };
            let value = values.first().copied().unwrap_or(0);
            surface.texels.update(column, row, plane, access.size, |old| updated(kind, ty, old, value, 0));
        }
    }
    Ok(loaded)
}

fn outside(surface: &Surface, at: [i64; 3], lane: usize) -> Box<Fault> {
    let at = at.map(|at| at.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    Fault::new(lane, FindingKind::OutsideSurface { at, extent: surface.texels.extent })
}
