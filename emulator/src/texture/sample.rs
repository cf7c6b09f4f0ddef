//! What sampling gives: "Texture Fetching" of the CUDA C++ Programming Guide. Weights have 8 bits behind the point, rounded to nearest.
//! What the guide leaves open is as here: sums are computed exactly and rounded once.

use half::f16;

use super::{AddressMode, Array, ArrayKind, Sampler, TexelKind};

/// Place where a lane samples.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Coordinates {
    Floats([f32; 3]),
    /// Whole texels, which aren't filtered.
    Texels([i32; 3]),
}

/// The four registers that an instruction fills, of floats or of integers as the sampler reads them.
pub(crate) fn sample(array: &Array, sampler: &Sampler, layer: u32, at: Coordinates) -> [u32; 4] {
    let shape = array.shape();
    let axes = match shape.kind {
        ArrayKind::Line => 1,
        ArrayKind::Plane | ArrayKind::Layers => 2,
        ArrayKind::Volume => 3,
    };
    let layer = (shape.kind == ArrayKind::Layers).then(|| layer.min(shape.extent[2] - 1));
    let fetch = |index: [i64; 3]| texel(array, sampler, axes, layer, index);
    let at = match at {
        Coordinates::Texels(at) => return registers(array, sampler, fetch(at.map(i64::from))),
        Coordinates::Floats(at) => at,
    };
    let mut places = [0.0; 3];
    for axis in 0..axes {
        places[axis] = place(at[axis], shape.extent[axis], sampler, axis);
    }
    if !sampler.is_linear || !sampler.reads_floats(array) {
        return registers(array, sampler, fetch(places.map(|place| place.floor() as i64)));
    }
    let mut sum = [0.0; 4];
    for corner in 0..1_usize << axes {
        let (mut index, mut weight) = ([0; 3], 1.0);
        for axis in 0..axes {
            let before = places[axis] - 0.5;
            let second = ((before - before.floor()) * 256.0).round() / 256.0;
            let is_second = corner >> axis & 1 == 1;
            index[axis] = (before.floor() as i64).saturating_add(is_second.into());
            weight *= f64::from(if is_second { second } else { 1.0 - second });
        }
        let numbers = fetch(index);
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += weight * number;
        }
    }
    registers(array, sampler, sum)
}

/// Numbers as registers have them. Channels that there aren't are zeros, but for the fourth, which is one.
fn registers(array: &Array, sampler: &Sampler, numbers: [f64; 4]) -> [u32; 4] {
    let channels = array.shape().channels as usize;
    let as_floats = sampler.reads_floats(array);
    std::array::from_fn(|i| {
        let number = if i < channels { numbers[i] } else { f64::from(u8::from(i == 3)) };
        if as_floats { (number as f32).to_bits() } else { number as i64 as u32 }
    })
}

/// A coordinate in texels.
fn place(at: f32, size: u32, sampler: &Sampler, axis: usize) -> f32 {
    if !sampler.is_normalized {
        return at;
    }
    let (size, whole) = (size as f32, at.floor());
    match sampler.address[axis] {
        AddressMode::Clamp | AddressMode::Border => at * size,
        AddressMode::Wrap => (at - whole) * size,
        AddressMode::Mirror if (whole * 0.5).floor() == whole * 0.5 => (at - whole) * size,
        AddressMode::Mirror => (1.0 - (at - whole)) * size,
    }
}

/// The numbers of a texel, or of what takes its place beyond the edges.
fn texel(array: &Array, sampler: &Sampler, axes: usize, layer: Option<u32>, index: [i64; 3]) -> [f64; 4] {
    let shape = array.shape();
    let mut place = [0; 3];
    for axis in 0..axes {
        let (at, size) = (index[axis], i64::from(shape.extent[axis]));
        let mode = match sampler.address[axis] {
            // Without normalised coordinates these are the edge's.
            AddressMode::Wrap | AddressMode::Mirror if !sampler.is_normalized => AddressMode::Clamp,
            mode => mode,
        };
        place[axis] = match mode {
            AddressMode::Clamp => at.clamp(0, size - 1),
            AddressMode::Border if (0..size).contains(&at) => at,
            AddressMode::Border => return [0.0; 4],
            AddressMode::Wrap => at.rem_euclid(size),
            AddressMode::Mirror => {
                let at = at.rem_euclid(2 * size);
                if at < size { at } else { 2 * size - 1 - at }
            }
        } as u32;
    }
    if let Some(layer) = layer {
        place[2] = layer;
    }
    let bytes = array.texel(place);
    let norm = |value: f64, most: f64| if sampler.reads_integers { value } else { (value / most).max(-1.0) };
    std::array::from_fn(|channel| {
        let at = |i: usize| bytes.get(channel * shape.bits as usize / 8 + i).copied().unwrap_or(0);
        let half = || u16::from_le_bytes([at(0), at(1)]);
        let word = || u32::from_le_bytes([at(0), at(1), at(2), at(3)]);
        match (shape.texel, shape.bits) {
            (TexelKind::Unsigned, 8) => norm(at(0).into(), 255.0),
            (TexelKind::Unsigned, 16) => norm(half().into(), 65_535.0),
            (TexelKind::Unsigned, _) => word().into(),
            (TexelKind::Signed, 8) => norm((at(0) as i8).into(), 127.0),
            (TexelKind::Signed, 16) => norm((half() as i16).into(), 32_767.0),
            (TexelKind::Signed, _) => (word() as i32).into(),
            (TexelKind::Float, 16) => f16::from_bits(half()).to_f64(),
            (TexelKind::Float, _) => f32::from_bits(word()).into(),
        }
    })
}
