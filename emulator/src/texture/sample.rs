//! What sampling gives: "Texture Fetching" of the CUDA C++ Programming Guide. Weights have 8 bits behind the point, rounded to nearest.
//! What the guide leaves open is as here: sums are computed exactly and rounded once.

use super::{Coordinates, Lookup, Sampler, Texture, cube, detail};

/// The four numbers that an instruction gives, of floats or of integers as the sampler reads them.
pub(crate) fn sample(texture: &Texture, sampler: &Sampler, lookup: &Lookup) -> [f64; 4] {
    let numbers = match lookup.coordinates {
        Coordinates::Texels(at) => {
            let places = Places::new(texture, sampler, detail::texel_level(texture, lookup), lookup);
            places.texel(std::array::from_fn(|axis| i64::from(at[axis]) + lookup.offset[axis]))
        }
        Coordinates::Floats(at) => {
            let [first, second] = detail::levels(texture, sampler, lookup, at);
            let mut sum = [0.0; 4];
            for (level, weight) in [first, second].into_iter().filter(|(_, weight)| *weight > 0.0) {
                let numbers = Places::new(texture, sampler, level, lookup).filtered(at);
                for (sum, number) in sum.iter_mut().zip(numbers) {
                    *sum = if weight < 1.0 { *sum + weight * number } else { number };
                }
            }
            sum
        }
    };
    with_missing_channels(texture, numbers)
}

/// One channel of the four texels that a linear filter would weight, from the lower left against the clock.
pub(crate) fn gather(texture: &Texture, sampler: &Sampler, lookup: &Lookup, channel: usize) -> [f64; 4] {
    let Coordinates::Floats(at) = lookup.coordinates else { return [0.0; 4] };
    let [(level, _), _] = detail::levels(texture, sampler, lookup, at);
    let mut places = Places::new(texture, sampler, level, lookup);
    let ([x, y, _], _) = places.nearest(at);
    [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(right, down)| {
        let numbers = places.texel([x.saturating_add(right), y.saturating_add(down), 0]);
        with_missing_channels(texture, numbers)[channel.min(3)]
    })
}

/// Channels that there aren't are zeros, but for the fourth, which is one.
fn with_missing_channels(texture: &Texture, numbers: [f64; 4]) -> [f64; 4] {
    let channels = texture.format.channels as usize;
    std::array::from_fn(|i| if i < channels { numbers[i] } else { f64::from(u8::from(i == 3)) })
}

/// The texels of a layer of a level of detail.
struct Places<'t> {
    texture: &'t Texture,
    sampler: &'t Sampler,
    level: usize,
    extent: [u32; 3],
    /// The layer; of cubes that of the first face.
    layer: u32,
    /// The face of a cube, once a direction has led to it.
    face: u32,
    offset: [i64; 3],
}

impl<'t> Places<'t> {
    fn new(texture: &'t Texture, sampler: &'t Sampler, level: usize, lookup: &Lookup) -> Self {
        let extent = texture.levels.get(level).map_or([1; 3], |level| level.extent);
        let layers = match texture.kind {
            kind if kind.is_cube() => extent[2] / 6,
            kind if kind.has_layers() => extent[2],
            _ => 1,
        };
        let layer = lookup.layer.min(layers.saturating_sub(1));
        let layer = if texture.kind.is_cube() { layer * 6 } else { layer };
        Self { texture, sampler, level, extent, layer, face: 0, offset: lookup.offset }
    }

    /// Coordinates in texels.
    fn places(&mut self, at: [f32; 3]) -> [f32; 3] {
        let mut places = [0.0; 3];
        if self.texture.kind.is_cube() {
            let (face, at) = cube::face(at.map(f64::from));
            self.face = face;
            for axis in 0..2 {
                let at = ((at[axis] + 1.0) / 2.0) as f32;
                places[axis] = self.normalized(at, axis) + self.offset[axis] as f32;
            }
            return places;
        }
        for axis in 0..self.texture.kind.axes() {
            let place = if self.sampler.is_normalized && !self.texture.is_memory {
                self.normalized(at[axis], axis)
            } else {
                at[axis]
            };
            places[axis] = place + self.offset[axis] as f32;
        }
        places
    }

    /// A fraction of an extent, in texels.
    fn normalized(&self, at: f32, axis: usize) -> f32 {
        use super::AddressMode::{Border, Clamp, Mirror, Wrap};
        let (size, whole) = (self.extent[axis] as f32, at.floor());
        match self.sampler.address[axis] {
            Clamp | Border => at * size,
            Wrap => (at - whole) * size,
            Mirror if (whole * 0.5).floor() == whole * 0.5 => (at - whole) * size,
            Mirror => (1.0 - (at - whole)) * size,
        }
    }

    /// The texel before a place on each axis, and the weight of the one behind it.
    fn nearest(&mut self, at: [f32; 3]) -> ([i64; 3], [f64; 3]) {
        let before = self.places(at).map(|place| place - 0.5);
        let weight = |at: f32| f64::from(((at - at.floor()) * 256.0).round() / 256.0);
        (before.map(|at| at.floor() as i64), before.map(weight))
    }

    fn filtered(&mut self, at: [f32; 3]) -> [f64; 4] {
        let Self { texture, sampler, .. } = *self;
        if !sampler.is_linear || !sampler.reads_floats(texture.format) || texture.is_memory {
            let places = self.places(at);
            return self.texel(places.map(|place| place.floor() as i64));
        }
        let (first, behind) = self.nearest(at);
        let axes = texture.kind.axes();
        let mut sum = [0.0; 4];
        for corner in 0..1_usize << axes {
            let (mut index, mut weight) = ([0; 3], 1.0);
            for axis in 0..axes {
                let is_second = corner >> axis & 1 == 1;
                index[axis] = first[axis].saturating_add(is_second.into());
                weight *= if is_second { behind[axis] } else { 1.0 - behind[axis] };
            }
            let numbers = self.texel(index);
            for (sum, number) in sum.iter_mut().zip(numbers) {
                *sum += weight * number;
            }
        }
        sum
    }

    /// The numbers of a texel, or of what takes its place beyond the edges.
    fn texel(&self, index: [i64; 3]) -> [f64; 4] {
        let Self { texture, sampler, extent, .. } = *self;
        let axes = texture.kind.axes();
        let (mut index, mut face) = (index, self.face);
        if texture.kind.is_cube() && sampler.is_seamless {
            let is_inside = |axis: usize| (0..i64::from(extent[axis])).contains(&index[axis]);
            if !is_inside(0) || !is_inside(1) {
                let (other, at) = cube::beyond(face, [index[0], index[1]], extent[0]);
                (index, face) = ([at[0], at[1], 0], other);
            }
        }
        let mut place = [0; 3];
        for axis in 0..axes {
            match self.address(index[axis], axis) {
                Some(at) => place[axis] = at,
                None => return self.border(),
            }
        }
        if texture.kind.has_layers() {
            place[2] = self.layer + face;
        }
        let mut bytes = [0; 16];
        let size = texture.format.bytes();
        if let Some(level) = texture.levels.get(self.level) {
            let column = u64::from(place[0]) * u64::from(size);
            level.read(column, place[1], place[2], &mut bytes[..size as usize]);
        }
        sampler.numbers(texture.format, &bytes)
    }

    /// The texel that takes the place of one, or none where the border is.
    fn address(&self, at: i64, axis: usize) -> Option<u32> {
        use super::AddressMode::{Border, Clamp, Mirror, Wrap};
        let size = i64::from(self.extent[axis]);
        let is_normalized = self.sampler.is_normalized || self.texture.kind.is_cube();
        let mode = match self.sampler.address[axis] {
            _ if self.texture.is_memory => Border,
            // Without normalised coordinates these are the edge's.
            Wrap | Mirror if !is_normalized => Clamp,
            mode => mode,
        };
        let at = match mode {
            Clamp => at.clamp(0, size - 1),
            Border => Some(at).filter(|at| (0..size).contains(at))?,
            Wrap => at.rem_euclid(size),
            Mirror => {
                let at = at.rem_euclid(2 * size);
                if at < size { at } else { 2 * size - 1 - at }
            }
        };
        Some(at as u32)
    }

    fn border(&self) -> [f64; 4] {
        let Self { texture, sampler, .. } = self;
        if texture.is_memory {
            return [0.0; 4];
        }
        sampler.border.map(|channel| {
            if sampler.reads_floats(texture.format) {
                f64::from(channel)
            } else if texture.format.texel == super::TexelKind::Signed {
                f64::from(channel.to_bits() as i32)
            } else {
                f64::from(channel.to_bits())
            }
        })
    }
}
