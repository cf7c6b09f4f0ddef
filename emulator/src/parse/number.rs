//! Numbers as PTX writes them.

use super::syntax::Number;

/// Integers in four bases with an optional `U`, `0f…` and `0d…` with the bits of a float, and decimal floats.
pub(crate) fn parse(text: &str) -> Option<Number> {
    let bytes = text.as_bytes();
    if let [b'0', kind, ..] = bytes {
        match kind {
            b'f' | b'F' if text.len() == 10 => {
                return u32::from_str_radix(&text[2..], 16).ok().map(Number::Single);
            }
            b'd' | b'D' if text.len() == 18 => {
                return u64::from_str_radix(&text[2..], 16).ok().map(Number::Double);
            }
            _ => {}
        }
    }
    let is_hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    if text.contains('.') || !is_hexadecimal && text.contains(['e', 'E']) {
        return text.parse::<f64>().ok().map(|value| Number::Double(value.to_bits()));
    }
    let digits = text.strip_suffix(['U', 'u']).unwrap_or(text);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    if digits.starts_with('+') {
        return None;
    }
    u64::from_str_radix(digits, radix).ok().map(Number::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_each_form() {
        assert_eq!(parse("42"), Some(Number::Integer(42)));
        assert_eq!(parse("42U"), Some(Number::Integer(42)));
        assert_eq!(parse("0x1Fu"), Some(Number::Integer(31)));
        assert_eq!(parse("0b101"), Some(Number::Integer(5)));
        assert_eq!(parse("017"), Some(Number::Integer(15)));
        assert_eq!(parse("0f3F800000"), Some(Number::Single(0x3f80_0000)));
        assert_eq!(parse("0d3FF0000000000000"), Some(Number::Double(0x3ff0_0000_0000_0000)));
        assert_eq!(parse("1.5"), Some(Number::Double(1.5_f64.to_bits())));
        assert_eq!(parse("1e10"), Some(Number::Double(1e10_f64.to_bits())));
        assert_eq!(parse("1.5E-3"), Some(Number::Double(1.5e-3_f64.to_bits())));
        assert_eq!(parse("0x1e"), Some(Number::Integer(30)));
        assert_eq!(parse("0xg"), None);
        assert_eq!(parse("99999999999999999999"), None);
    }
}
