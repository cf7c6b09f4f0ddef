//! Results of instructions on 32-bit floats.

/// What a handler's number says of the results: whether denormals are zeros, and whether values stop at 0 and 1.
pub(super) const FLUSH: u32 = 4;
pub(super) const SATURATE: u32 = 8;

/// Denormals become zeros of their sign.
#[inline]
pub(super) fn flush(value: f32) -> f32 {
    if value.abs() < f32::MIN_POSITIVE { 0.0_f32.copysign(value) } else { value }
}

/// The value, or what the hardware gives for any NaN.
#[inline]
pub(super) fn canonical(value: f32) -> f32 {
    if value.is_nan() { f32::from_bits(0x7fff_ffff) } else { value }
}

#[inline]
pub(super) fn saturated(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) + 0.0 }
}
