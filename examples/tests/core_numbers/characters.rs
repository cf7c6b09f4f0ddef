//! Operators and methods of `bool` and `char`, and those of `u8` that take it for one.

use crate::rows::rows;

rows! { bools: u32, words 2, |a, b, c| {
    not: !(a & 1 == 1);
    and: (a & 1 == 1) & (b & 1 == 1);
    or: (a & 1 == 1) | (b & 1 == 1);
    xor: (a & 1 == 1) ^ (b & 1 == 1);
    lazy_and: a > b && b > c;
    lazy_or: a > b || b > c;
    eq: (a & 1 == 1) == (b > c);
    lt: (a & 1 == 1) < (b > c);
    cmp: (a > b).cmp(&(b > c));
    as_u8: (a < b) as u8;
    as_i64: (a < b) as i64;
    sum: u32::from(a < b) + u32::from(b < c) + u32::from(c < a);
    then_some: (a < b).then_some(c);
    then: (a < b).then(|| b - a);
    select: if (a < b) != (b < c) { a } else { c };
} }

rows! { chars: u32, words 2, |a, b, c| {
    from_u32: char::from_u32(a);
    from_u32_of_21_bits: char::from_u32(a & 0x1f_ffff);
    of_u8: char::from(a as u8);
    from_digit: char::from_digit(a % 40, 36);
    as_u8: char::from_u32(a & 0x1fff).map(|c| c as u8);
    len_utf8: char::from_u32(a & 0x1f_ffff).map_or(0, char::len_utf8);
    len_utf16: char::from_u32(a & 0x1f_ffff).map_or(0, char::len_utf16);
    to_digit: char::from(a as u8).to_digit(36);
    lt: char::from_u32(a & 0x1fff) < char::from_u32(b & 0x1fff);
    cmp: char::from_u32(a).cmp(&char::from_u32(b));
    is_ascii: char::from_u32(a & 0x1ff).is_some_and(|c| c.is_ascii());
    is_ascii_digit: char::from(a as u8).is_ascii_digit();
    is_ascii_alphabetic: char::from(a as u8).is_ascii_alphabetic();
    is_ascii_punctuation: char::from(a as u8).is_ascii_punctuation();
    to_ascii_uppercase: char::from(a as u8).to_ascii_uppercase();
    to_ascii_lowercase: char::from(a as u8).to_ascii_lowercase();
    eq_ignore_ascii_case: char::from(a as u8).eq_ignore_ascii_case(&char::from(b as u8));
    is_alphabetic: char::from_u32(a & 0xffff).is_some_and(char::is_alphabetic);
    is_numeric: char::from_u32(a & 0xffff).is_some_and(char::is_numeric);
    is_whitespace: char::from_u32(a & 0xffff).is_some_and(char::is_whitespace);
    is_control: char::from_u32(a & 0xff).is_some_and(char::is_control);
    byte_is_ascii_hexdigit: (a as u8).is_ascii_hexdigit();
    byte_to_ascii_uppercase: (a as u8).to_ascii_uppercase();
    encode_utf8: { let mut bytes = [0; 4]; char::from_u32(a & 0x1f_ffff).map_or(0, |c| { c.encode_utf8(&mut bytes); u32::from_le_bytes(bytes) }) };
} }
