//! Texts that are there when the kernel is compiled: comparing, looking at and taking them apart.

use crate::rows::rows;

/// One of four texts.
#[inline(always)]
pub(crate) fn text(number: u32) -> &'static str {
    match number % 4 {
        0 => "wave",
        1 => "warp and more",
        2 => "",
        _ => "wärme",
    }
}

rows! { texts: u32, words 2, |a, b, c| {
    eq: crate::texts::text(a) == crate::texts::text(b);
    cmp: crate::texts::text(a).cmp(crate::texts::text(b));
    lt: crate::texts::text(a) < crate::texts::text(c);
    matched: match crate::texts::text(a) { "wave" => 1_u32, "warp" => 2, "" => 3, _ => 4 };
    len: crate::texts::text(a).len();
    is_empty: crate::texts::text(a).is_empty();
    is_char_boundary: crate::texts::text(a).is_char_boundary((b % 8) as usize);
    starts_with: crate::texts::text(a).starts_with("wa");
    ends_with: crate::texts::text(a).ends_with("e");
    starts_with_char: crate::texts::text(a).starts_with('w');
    as_bytes: crate::texts::text(a).as_bytes().get((b % 8) as usize).map(|byte| u32::from(*byte));
    bytes: crate::texts::text(a).bytes().fold(0_u32, |x, byte| x.wrapping_mul(31) ^ u32::from(byte));
    chars: crate::texts::text(a).chars().fold(0_u32, |x, c| x.wrapping_mul(31) ^ u32::from(c));
    chars_count: crate::texts::text(a).chars().count();
    char_indices: crate::texts::text(a).char_indices().filter(|(_, c)| *c == 'r').map(|(at, _)| at).max();
    get: crate::texts::text(a).get(..(b % 9) as usize).map(str::len);
    find_char: crate::texts::text(a).find('r');
    contains_char: crate::texts::text(a).contains('m');
    strip_prefix: crate::texts::text(a).strip_prefix("wa").map(str::len);
    split_once: crate::texts::text(a).split_once(' ').map(|(x, _)| x.len());
    trim: " \tx ".trim().len() as u32 ^ a;
    is_ascii: crate::texts::text(a).is_ascii();
    eq_ignore_ascii_case: crate::texts::text(a).eq_ignore_ascii_case("WAVE");
    parse: "1234".parse::<u32>().map_or(0, |x| x ^ a);
    from_utf8: core::str::from_utf8(&a.to_le_bytes()).is_ok();
    byte_string: b"abc"[(a % 3) as usize];
    included: include_str!("main.rs").len() as u32 ^ a;
    concat: concat!("a", 1, true).len() as u32 ^ a;
} }
