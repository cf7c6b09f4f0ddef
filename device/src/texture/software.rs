//! Sampling of plain memory: what the CUDA C++ Programming Guide says of its hardware ("Texture Fetching"), with weights of 8
//! bits behind the point, rounded to nearest.

use gridwright_core::{Address, Filter, Sampling, Texel};

use super::{Dimension, Form};
use crate::math::floor;

/// The value of a texture's layer at float coordinates.
///
/// # Safety
/// `texels` are as many as `form` says, which nobody writes meanwhile.
#[inline(always)]
pub(crate) unsafe fn sample<T: Texel, D: Dimension>(
    texels: *const T,
    form: Form,
    layer: u32,
    at: [f32; 3],
) -> T::Value {
    let Form { extent, sampling } = form;
    let layer = layer.min(extent[2] - 1);
    let places: [f32; 3] = core::array::from_fn(|axis| place(at[axis], extent[axis], sampling));
    match sampling.filter() {
        Filter::Nearest => {
            let index = places.map(|place| floor(place) as i32);
            // SAFETY: nobody writes the texels meanwhile, as this function asks; the layer was limited to the texture's.
            unsafe { fetch::<T, D>(texels, form, layer, index) }
        }
        Filter::Linear => {
            let sides = places.map(sides);
            let mut sum = T::Value::default();
            for corner in 0..1_usize << D::AXES {
                let (mut index, mut weight) = ([0; 3], 1.0);
                for axis in 0..D::AXES {
                    let (first, second) = sides[axis];
                    let is_second = corner >> axis & 1 == 1;
                    index[axis] = if is_second { first.saturating_add(1) } else { first };
                    weight *= if is_second { second } else { 1.0 - second };
                }
                // SAFETY: nobody writes the texels meanwhile, as this function asks; the layer was limited to the texture's.
                sum = T::add(sum, weight, unsafe { fetch::<T, D>(texels, form, layer, index) });
            }
            sum
        }
    }
}

/// The texel at an index, or what the texture has beyond its edges.
///
/// # Safety
/// As for [`sample`], and the layer is one of the texture's.
#[inline(always)]
pub(crate) unsafe fn fetch<T: Texel, D: Dimension>(
    texels: *const T,
    form: Form,
    layer: u32,
    index: [i32; 3],
) -> T::Value {
    let [width, height, _] = form.extent;
    let Some([col, row, plane]) = inside::<D>(form, index) else {
        return T::Value::default();
    };
    let plane = if D::IS_LAYERED { layer } else { plane };
    let place = (plane as usize * height as usize + row as usize) * width as usize + col as usize;
    // SAFETY: each index is below its extent; nobody writes the texels meanwhile, as this function asks.
    unsafe { *texels.add(place) }.value()
}

/// The index of the texel that is read for an index that may be beyond the edges, or `None` where zero is read.
#[inline(always)]
pub(crate) fn inside<D: Dimension>(form: Form, index: [i32; 3]) -> Option<[u32; 3]> {
    let mut found = [0; 3];
    let mut is_inside = true;
    for axis in 0..D::AXES {
        let (at, size) = (index[axis], form.extent[axis] as i32);
        found[axis] = match form.sampling.address_mode() {
            Address::Clamp => at.clamp(0, size - 1),
            Address::Border => {
                is_inside &= (at as u32) < size as u32;
                at.clamp(0, size - 1)
            }
            Address::Wrap => modulo(at, size),
            Address::Mirror => {
                let at = modulo(at, 2 * size);
                if at < size { at } else { 2 * size - 1 - at }
            }
        } as u32;
    }
    is_inside.then_some(found)
}

/// The remainder that isn't negative. No size is zero: then nothing is divided, and there is no panic to compile.
#[inline(always)]
fn modulo(at: i32, size: i32) -> i32 {
    at.checked_rem_euclid(size).unwrap_or(0)
}

/// A coordinate in texels.
#[inline(always)]
fn place(at: f32, size: u32, sampling: Sampling) -> f32 {
    if !sampling.is_normalized() {
        return at;
    }
    let size = size as f32;
    match sampling.address_mode() {
        Address::Clamp | Address::Border => at * size,
        Address::Wrap => (at - floor(at)) * size,
        Address::Mirror => {
            let whole = floor(at);
            let half = whole * 0.5;
            let part = at - whole;
            (if half == floor(half) { part } else { 1.0 - part }) * size
        }
    }
}

/// The first of the two nearest texels on an axis, and the weight of the second.
#[inline(always)]
fn sides(place: f32) -> (i32, f32) {
    let before = place - 0.5;
    let first = floor(before);
    (first as i32, floor((before - first) * 256.0 + 0.5) * (1.0 / 256.0))
}

/// Writes a texel.
///
/// # Safety
/// There are texels as `extent` says, `place` is among them, and nobody else accesses that one meanwhile.
#[inline(always)]
pub(crate) unsafe fn store<T: Texel>(texels: *mut T, extent: [u32; 3], place: [u32; 3], value: T) {
    let [[width, height, _], [col, row, plane]] = [extent, place];
    let at = (plane as usize * height as usize + row as usize) * width as usize + col as usize;
    // SAFETY: `place` is among the texels, of which nobody else accesses that one meanwhile, as this function asks.
    unsafe { texels.add(at).write(value) };
}
