//! Variants of unequal sizes by value, and conditions that have two uses.

use crate::probe::probes;

#[derive(Clone, Copy, PartialEq)]
enum Size {
    Big(u64, f32),
    Small(u16, u16),
    Tiny(bool),
    Nothing,
}

#[inline(always)]
fn size(a: u64, b: u64) -> Option<Size> {
    Some(match a & 7 {
        0 | 1 => Size::Big(b, (a >> 40) as f32),
        2 | 3 => Size::Small(a as u16, b as u16),
        4 => Size::Tiny(a < b),
        5 => Size::Nothing,
        _ => return None,
    })
}

#[inline(always)]
fn folded(x: Option<Size>) -> u64 {
    match x {
        None => 1,
        Some(Size::Big(x, y)) => x ^ (y.to_bits() as u64) << 30,
        Some(Size::Small(x, y)) => x as u64 | (y as u64) << 20,
        Some(Size::Tiny(x)) => 2 + x as u64,
        Some(Size::Nothing) => 9,
    }
}

/// The number, if it is small.
#[inline(always)]
fn small(x: u64) -> Option<u32> {
    if x < 0x1_0000 { Some(x as u32) } else { None }
}

/// A vote that isn't taken twice, as rustc took a comparison apart from its uses.
#[inline(always)]
fn counted_if_none(x: Option<u32>, count: &mut u32) -> Option<u32> {
    let is_none = x.is_none();
    *count += is_none as u32;
    if is_none {
        return None;
    }
    x.map(|x| x.wrapping_mul(3))
}

probes! {
    all_enums:
    fn option_of_variants(a, b) { folded(size(a, b)) }
    fn option_mapped(a, b) {
        folded(size(a, b).map(|x| match x {
            Size::Big(x, y) => Size::Big(x.wrapping_add(1), y),
            Size::Small(x, y) => Size::Small(y, x),
            other => other,
        }))
    }
    fn option_chained(a, b) {
        folded(size(a, b).or_else(|| size(b, a)).filter(|x| *x != Size::Nothing).or(Some(Size::Tiny(true))))
    }
    fn option_chosen(a, b) { folded(if a < b { size(a, b) } else { size(b, a) }) }
    fn option_chosen_by_reference(a, b) {
        let (x, y) = (size(a, b), size(b, a));
        folded(*if a < b { &x } else { &y })
    }
    fn option_replaced(a, b) {
        let mut x = size(a, b);
        let y = if b & 1 == 1 { x.take() } else { x.replace(Size::Small(1, 2)) };
        folded(x) ^ folded(y).rotate_left(1)
    }
    fn options_in_array(a, b) {
        let mut x = [size(a, b), size(b, a), None, Some(Size::Nothing)];
        x.swap((a >> 3 & 3) as usize, (b >> 3 & 3) as usize);
        let y = x[(a >> 5 & 3) as usize];
        x[(b >> 5 & 3) as usize] = y;
        x.iter().fold(0, |sum: u64, &x| sum.rotate_left(9) ^ folded(x))
    }
    fn zipped(a, b) { small(a).zip(small(b)).map_or(5, |(x, y)| (x as u64) << 32 | y as u64) }
    fn results(a, b) {
        let first = u16::try_from(a).map_err(|_| 3_u64);
        let second = i8::try_from(b as i64).map_err(|_| 4_u64);
        match first.and_then(|x| second.map(|y| (x, y))) {
            Ok((x, y)) => x as u64 | (y as u64) << 16,
            Err(error) => error << 40,
        }
    }
    fn none_counted(a, b) {
        let mut count = 0;
        let x = counted_if_none(small(a), &mut count);
        let y = counted_if_none(small(b), &mut count);
        (count as u64) << 40 | (x.unwrap_or(7) as u64) << 20 ^ y.unwrap_or(9) as u64
    }
    fn none_counted_and_returned(a, b) {
        let mut count = 5_u32;
        let is_none = small(a).is_none();
        count += is_none as u32;
        if is_none { return count as u64; }
        (count as u64) << 32 | b & 0xffff
    }
    fn comparison_of_two_uses(a, b) {
        let is_less = a as u32 == b as u32;
        let n = is_less as u32;
        if is_less { return 10 + n as u64; }
        20 + n as u64
    }
    fn comparison_with_zero(a, b) {
        let is_zero = a as u8 == 0;
        let count = is_zero as u64 + (b as u16 == 4) as u64;
        if is_zero { count | 0x100 } else { count | 0x200 }
    }
    fn comparisons_gathered(a, b) {
        let mut same = a as u8 == b as u8;
        same &= (a >> 8) as u8 == (b >> 8) as u8;
        if same { 1 } else { 2 }
    }
    fn comparisons_gathered_and_counted(a, b) {
        let mut same = a as u32 == 3;
        same &= b as u32 == 4;
        let count = same as u64;
        if same { 8 + count } else { 16 + count }
    }
    fn comparison_matched(a, b) {
        let is_three = (a & 7) == 3;
        let x = match a & 7 { 3 => 1, 4 => 2, _ => 3 };
        x << 1 | is_three as u64
    }
    fn letters(a, b) {
        let c = (a as u8 & 0x7f) as char;
        (c.is_ascii_digit() as u64) | (c.is_alphabetic() as u64) << 1 | (c.to_digit(16).unwrap_or(99) as u64) << 8
            | (c.to_ascii_uppercase() as u64) << 16 | (char::from_u32(b as u32).is_some() as u64) << 40
    }
    fn ordered(a, b) { (a.cmp(&b) as i8 as u8 as u64) | ((a as i32, b as i32).cmp(&(b as i32, a as i32)) as i8 as u8 as u64) << 8 }
    fn tuples_compared(a, b) { ((a as u8, (a >> 8) as u16) < (b as u8, (b >> 8) as u16)) as u64 | ((a as i8, b as i8) >= (b as i8, a as i8)) as u64 * 2 }
    fn matched_ranges(a, b) { match a { 0 => 1, 1..=9 => b & 0xff, 10..=0xff => 3, 0x100..=0xffff_ffff => 4, _ => b >> 60 } }
    fn matched_pairs(a, b) { match (a & 3, b & 3) { (0, x) => x, (x, 0) => x << 2, (1, 1) => 70, (2 | 3, y) if y != 2 => 80 + y, _ => 90 } }
}
