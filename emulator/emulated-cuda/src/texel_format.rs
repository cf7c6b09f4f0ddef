//! Formats of arrays, by their numbers in `cuda.h`.

use std::ffi::c_uint;

use gridwright_emulator::{TexelFormat, TexelKind};

use crate::error::Error;

/// Formats whose channels are said beside: `CU_AD_FORMAT_…`, the numbers, and their bits.
const PLAIN: [(c_uint, TexelKind, u32); 8] = [
    (0x01, TexelKind::Unsigned, 8),
    (0x02, TexelKind::Unsigned, 16),
    (0x03, TexelKind::Unsigned, 32),
    (0x08, TexelKind::Signed, 8),
    (0x09, TexelKind::Signed, 16),
    (0x0a, TexelKind::Signed, 32),
    (0x10, TexelKind::Float, 16),
    (0x20, TexelKind::Float, 32),
];

/// `CU_AD_FORMAT_UNORM_INT8X1`, behind which are those of two and four channels, then of 16 bits, then with a sign.
const FIRST_NORMALIZED: c_uint = 0xc0;

/// # Errors
/// For numbers of channels that no texel has, and formats that aren't known: of video, of blocks and of packed numbers.
pub(crate) fn parse(format: c_uint, channels: c_uint) -> Result<TexelFormat, Error> {
    if !matches!(channels, 1 | 2 | 4) {
        return Err(Error::INVALID_VALUE);
    }
    if let Some((_, texel, bits)) = PLAIN.iter().copied().find(|(known, ..)| *known == format) {
        return Ok(TexelFormat { texel, bits, channels });
    }
    let Some(index @ 0..12) = format.checked_sub(FIRST_NORMALIZED) else {
        return Err(Error::NOT_SUPPORTED);
    };
    let texel = if index < 6 { TexelKind::UnsignedNormalized } else { TexelKind::SignedNormalized };
    let bits = if index % 6 < 3 { 8 } else { 16 };
    if channels != 1 << (index % 3) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(TexelFormat { texel, bits, channels })
}

/// The number of a format, and its channels.
pub(crate) fn number(format: TexelFormat) -> c_uint {
    let plain = PLAIN.iter().find(|(_, texel, bits)| (*texel, *bits) == (format.texel, format.bits));
    if let Some((number, ..)) = plain {
        return *number;
    }
    let with_sign = c_uint::from(format.texel == TexelKind::SignedNormalized);
    let wide = c_uint::from(format.bits == 16);
    FIRST_NORMALIZED + 6 * with_sign + 3 * wide + format.channels.trailing_zeros()
}

/// The format of a `CUresourceViewFormat`; none for the array's own.
///
/// # Errors
/// For those of blocks.
pub(crate) fn of_view(number: c_uint) -> Result<Option<TexelFormat>, Error> {
    let Some(index) = number.checked_sub(1) else { return Ok(None) };
    let (texel, bits) = match index / 3 {
        0 => (TexelKind::Unsigned, 8),
        1 => (TexelKind::Signed, 8),
        2 => (TexelKind::Unsigned, 16),
        3 => (TexelKind::Signed, 16),
        4 => (TexelKind::Unsigned, 32),
        5 => (TexelKind::Signed, 32),
        6 => (TexelKind::Float, 16),
        7 => (TexelKind::Float, 32),
        _ if number <= 0x22 => return Err(Error::NOT_SUPPORTED),
        _ => return Err(Error::INVALID_VALUE),
    };
    Ok(Some(TexelFormat { texel, bits, channels: 1 << (index % 3) }))
}

#[cfg(test)]
mod tests {
    use super::{number, of_view, parse};

    #[test]
    fn formats_have_the_numbers_of_the_header() {
        for (format, channels) in
            [(0x01, 4), (0x0a, 1), (0x10, 2), (0xc0, 1), (0xc4, 2), (0xc8, 4), (0xcb, 4)]
        {
            let known = parse(format, channels).expect("a format");
            assert_eq!((number(known), known.channels), (format, channels));
        }
        for (format, channels) in [(0x01, 3), (0xc0, 2), (0xb0, 1), (0x91, 4), (0, 1)] {
            parse(format, channels).expect_err("no format");
        }
        let view = of_view(0x15).expect("a format").expect("a format of its own");
        assert_eq!((view.bits, view.channels), (16, 4));
        assert_eq!(of_view(0), Ok(None));
        assert!(of_view(0x19).is_err() && of_view(0x23).is_err());
    }
}
