//! Which levels of detail are sampled.

use super::{Detail, Lookup, Sampler, Texture, cube};

/// The level of which a whole texel is read.
pub(super) fn texel_level(texture: &Texture, lookup: &Lookup) -> usize {
    match lookup.detail {
        Detail::Level(level) => (level as i32).clamp(0, texture.levels.len() as i32 - 1) as usize,
        Detail::Base | Detail::Gradients(_) => 0,
    }
}

/// Two levels and their weights, the second of which may be zero.
pub(super) fn levels(
    texture: &Texture,
    sampler: &Sampler,
    lookup: &Lookup,
    at: [f32; 3],
) -> [(usize, f64); 2] {
    let last = texture.levels.len().saturating_sub(1);
    let mipmaps = &sampler.mipmaps;
    let asked = match lookup.detail {
        Detail::Base => f32::NEG_INFINITY,
        Detail::Level(level) => f32::from_bits(level),
        Detail::Gradients(gradients) => of_gradients(texture, sampler, gradients, at),
    };
    let [least, most] = mipmaps.range;
    // No number is the least.
    let level = (asked + mipmaps.bias).max(least).min(most.max(least)).clamp(0.0, last as f32);
    if !mipmaps.is_linear {
        // Half-way the finer one is nearer.
        return [(((level - 0.5).ceil() as usize).min(last), 1.0), (0, 0.0)];
    }
    let coarser = f64::from(((level - level.floor()) * 256.0).round() / 256.0);
    let first = level.floor() as usize;
    [(first, 1.0 - coarser), ((first + 1).min(last), coarser)]
}

/// The level of which a texel is as large as a pixel, on the axis on which a pixel is longer: filters aren't anisotropic.
fn of_gradients(texture: &Texture, sampler: &Sampler, gradients: [[f32; 3]; 2], at: [f32; 3]) -> f32 {
    let extent = texture.levels.first().map_or([1; 3], |level| level.extent);
    let axes = texture.kind.axes();
    let lengths = gradients.map(|gradient| {
        let mut texels = gradient.map(f64::from);
        if texture.kind.is_cube() {
            let [s, t] = cube::step(at.map(f64::from), texels);
            texels = [s / 2.0, t / 2.0, 0.0];
        }
        let is_normalized = sampler.is_normalized || texture.kind.is_cube();
        let size = |axis: usize| if is_normalized { f64::from(extent[axis]) } else { 1.0 };
        (0..axes).map(|axis| (texels[axis] * size(axis)).powi(2)).sum::<f64>().sqrt()
    });
    lengths[0].max(lengths[1]).log2() as f32
}
