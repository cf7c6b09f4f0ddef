use super::{I8x4, U8x4};

/// Every two bytes, beside others that carry, borrow and have signs.
fn pairs() -> impl Iterator<Item = ([u8; 4], [u8; 4])> {
    (0..=u16::MAX).map(|pair| {
        let [a, b] = pair.to_le_bytes();
        ([0xff, a, b, !a], [a, b, 0x01, b])
    })
}

fn lanes(a: [u8; 4], b: [u8; 4], f: impl Fn(u8, u8) -> u8) -> [u8; 4] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

fn signed_lanes(a: [u8; 4], b: [u8; 4], f: impl Fn(i8, i8) -> i8) -> [i8; 4] {
    std::array::from_fn(|lane| f(a[lane] as i8, b[lane] as i8))
}

#[test]
fn every_two_bytes_without_signs_give_what_single_ones_give() {
    for (x, y) in pairs() {
        let (a, b) = (U8x4::new(x), U8x4::new(y));
        let mask = |holds: fn(&u8, &u8) -> bool| lanes(x, y, |a, b| if holds(&a, &b) { 255 } else { 0 });
        assert_eq!(a.wrapping_add(b).to_array(), lanes(x, y, u8::wrapping_add));
        assert_eq!(a.wrapping_sub(b).to_array(), lanes(x, y, u8::wrapping_sub));
        assert_eq!(a.saturating_add(b).to_array(), lanes(x, y, u8::saturating_add));
        assert_eq!(a.saturating_sub(b).to_array(), lanes(x, y, u8::saturating_sub));
        assert_eq!(a.abs_diff(b).to_array(), lanes(x, y, u8::abs_diff));
        assert_eq!(a.average_floor(b).to_array(), lanes(x, y, u8::midpoint));
        assert_eq!(a.min(b).to_array(), lanes(x, y, u8::min));
        assert_eq!(a.max(b).to_array(), lanes(x, y, u8::max));
        assert_eq!(a.lanes_eq(b).to_array(), mask(u8::eq));
        assert_eq!(a.lanes_ne(b).to_array(), mask(u8::ne));
        assert_eq!(a.lanes_lt(b).to_array(), mask(u8::lt));
        assert_eq!(a.lanes_le(b).to_array(), mask(u8::le));
        assert_eq!(a.lanes_gt(b).to_array(), mask(u8::gt));
        assert_eq!(a.lanes_ge(b).to_array(), mask(u8::ge));
    }
}

#[test]
fn every_two_bytes_with_signs_give_what_single_ones_give() {
    for (x, y) in pairs() {
        let (a, b) = (I8x4::new(x.map(|x| x as i8)), I8x4::new(y.map(|y| y as i8)));
        assert_eq!(a.saturating_add(b).to_array(), signed_lanes(x, y, i8::saturating_add));
        assert_eq!(a.saturating_sub(b).to_array(), signed_lanes(x, y, i8::saturating_sub));
        assert_eq!(a.abs_diff(b).to_array(), lanes(x, y, |a, b| (a as i8).abs_diff(b as i8)));
        assert_eq!(a.min(b).to_array(), signed_lanes(x, y, i8::min));
        assert_eq!(a.max(b).to_array(), signed_lanes(x, y, i8::max));
        assert_eq!(a.saturating_abs().to_array(), signed_lanes(x, y, |a, _| a.saturating_abs()));
        assert_eq!(a.wrapping_abs().to_array(), signed_lanes(x, y, |a, _| a.wrapping_abs()));
        assert_eq!(a.saturating_neg().to_array(), signed_lanes(x, y, |a, _| a.saturating_neg()));
        assert_eq!(a.wrapping_neg().to_array(), signed_lanes(x, y, |a, _| a.wrapping_neg()));
    }
}
