//! Loops that threads leave at different turns, values that are kept from one of their turns, and branches that meet.

use crate::probe::probes;

/// A step of a generator, so that the compiler knows nothing of the values.
#[inline(always)]
fn step(x: u64) -> u64 {
    x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f)
}

probes! {
    all_loops:
    fn search(a, b) {
        let mut i = 0;
        loop {
            if i == a & 31 { break; }
            i += 1;
        }
        i ^ b
    }
    fn search_common_stop(a, b, n) {
        let mut i = 0_u32;
        loop {
            if i == a as u32 & 63 { break; }
            if i == n as u32 { return 1 << 40 | i as u64; }
            i += 1;
        }
        i as u64 ^ b
    }
    fn search_latched(a, b) {
        // A value of the turn before the last.
        let (mut i, mut last, mut uniform) = (0, 0, 7);
        while i < a & 31 {
            last = uniform;
            uniform = step(uniform);
            i += 1;
        }
        last ^ b
    }
    fn search_scaled(a, b, n) {
        let (mut i, mut k) = (0_u32, n as u32);
        while k & 0xff != a as u32 & 0xff && i < 40 {
            k = k.wrapping_mul(5).wrapping_add(3);
            i += 1;
        }
        (k as u64) << 32 ^ (i as u64) ^ b
    }
    fn search_table(a, b, n, m) {
        let mut i = 0;
        while i < 64 && m[i] & 15 != a & 15 { i += 1; }
        i as u64 ^ b
    }
    fn search_table_value(a, b, n, m) {
        let mut found = u64::MAX;
        for &value in &m[..64] {
            if value & 15 == a & 15 { found = value; break; }
        }
        found ^ b
    }
    fn search_position(a, b, n, m) { m.iter().position(|&x| x & 31 == a & 31).map_or(b, |i| i as u64) }
    fn search_two_exits(a, b, n) {
        let mut k = 0_u32;
        loop {
            if a as u32 & 31 == k { break 1; }
            if k == n as u32 { break 2; }
            k += 1;
        }
    }
    fn search_two_exits_value(a, b, n) {
        let mut k = 0_u32;
        let at = loop {
            if a as u32 & 31 == k { break k.wrapping_mul(3); }
            if k == n as u32 { break k ^ 0x55; }
            k += 1;
        };
        at as u64 ^ (k as u64) << 32 ^ b
    }
    fn search_three_exits(a, b, n) {
        let (mut k, mut x) = (0_u32, b as u32);
        let way = loop {
            if x & 7 == 5 { break 1; }
            if k == a as u32 & 31 { break 2; }
            if k == n as u32 & 63 { break 3; }
            x = x.rotate_left(3) ^ k;
            k += 1;
        };
        (way as u64) << 60 ^ (x as u64) << 8 ^ k as u64
    }
    fn latched_condition(a, b, n) {
        let (mut seen, mut k) = (false, 0_u32);
        while k < a as u32 & 31 {
            seen |= n as u32 & 15 == k;
            k += 1;
        }
        (seen as u64) << 33 ^ k as u64
    }
    fn latched_comparison(a, b, n) {
        let (mut is_less, mut k) = (false, 0_u32);
        loop {
            is_less ^= k < n as u32;
            if k == b as u32 & 15 { break; }
            k += 1;
        }
        if is_less { a } else { !a }
    }
    fn uniform_constant_shifted(a, b, n) {
        let mut c = 0x1234_5678_9abc_def0_u64;
        for _ in 0..n & 7 { c >>= n & 3; }
        c ^ a ^ 0x1234_5678_9abc_def0
    }
    fn uniform_constant_chosen(a, b, n) {
        let mut c = 0x1234_5678_9abc_def0_u64;
        if n > 9 { c = 0xfedc_ba98_7654_3210; }
        for i in 0..a & 3 { c = c.rotate_left(7) ^ i; }
        c
    }
    fn uniform_constant_merged(a, b, n) {
        let c = if n & 1 == 1 { 0x1_0000_0001_u64 } else if n & 8 == 8 { 0x8000_0000_0000_0000 } else { 0xffff_ffff_0000_0000 };
        c.wrapping_add(a) ^ (c >> (b & 7))
    }
    fn uniform_double_chosen(a, b, n) {
        let f = if n > 9 { 1.0e300_f64 } else { -2.5e-100 };
        f.to_bits() ^ a
    }
    fn divergent_constant_shifted(a, b) {
        let mut c = 0x1234_5678_9abc_def0_u64;
        for _ in 0..a & 7 { c >>= b & 3; }
        c ^ 0x1234_5678_9abc_def0
    }
    fn triangular(a, b, n, m) {
        let count = n as usize & 7;
        let mut all = 0.0_f32;
        for k in 1..=count {
            let mut value = 0.0_f32;
            for r in k..=count { value += (m[r] & 0xff) as f32; }
            all = all * 0.5 + value;
        }
        all.to_bits() as u64 ^ a
    }
    fn triangular_own(a, b, n, m) {
        let count = a as usize & 7;
        let mut all = 0_u64;
        for k in 1..=count {
            let mut value = 0_u64;
            for r in k..=count { value = value.wrapping_add(m[r] ^ b); }
            all = all.wrapping_mul(31).wrapping_add(value);
        }
        all
    }
    fn triangular_back(a, b, n, m) {
        let count = n as usize & 15;
        let mut rest: [u32; 16] = core::array::from_fn(|i| m[i] as u32 & 0xffff);
        for k in (0..count).rev() {
            for r in 0..k { rest[r] = rest[r].wrapping_add(rest[k].wrapping_mul(r as u32 + 1)); }
        }
        rest[0] as u64 ^ (rest[5] as u64) << 32 ^ a
    }
    fn one_condition_twice(a, b, n) {
        let is_less = n < 9;
        let bound = if is_less { n } else { 9 };
        let mut sum = 0;
        if is_less { sum = 100; }
        for k in 0..bound { sum += k ^ (a & 3); }
        sum
    }
    fn borrow_and_bound(a, b, n) {
        let (rest, is_under) = (n as u32).overflowing_sub(4);
        let bound = if is_under { 2 } else { rest & 15 };
        let mut sum = is_under as u32;
        for k in 0..bound { sum = sum.wrapping_mul(3).wrapping_add(k ^ a as u32); }
        sum as u64
    }
    fn match_of_four(a, b) {
        let (mut x, mut y) = (a ^ b, a.wrapping_add(b));
        match a & 3 { 0 => x = x.wrapping_add(0x10 & y), 1 => x ^= y, 2 => y = y.wrapping_sub(x), _ => y = !y }
        match b & 3 { 0 => y ^= x >> 3, 1 => x = x.wrapping_add(y), 2 => x = !x, _ => y = y.wrapping_mul(3) }
        match (a >> 2) & 3 { 0 => x, 1 => y, 2 => x ^ y, _ => x.wrapping_sub(y) }
    }
    fn match_in_loop(a, b, n) {
        let (mut x, mut y) = (a, b);
        for i in 0..n & 15 {
            match (x ^ i) & 3 {
                0 => x = x.wrapping_add(y),
                1 => y ^= x >> 1,
                2 => (x, y) = (y, x),
                _ => y = y.rotate_left(5),
            }
        }
        x ^ y.rotate_left(32)
    }
    fn two_continues(a, b) {
        let (mut x, mut i, mut changed) = (b, 0, 1_u64);
        while i < 20 {
            i += 1;
            if (a >> i) & 1 == 1 { continue; }
            x = step(x);
            if x >> 62 == 0 {
                changed = changed.wrapping_add(x >> 50);
                continue;
            }
            x ^= changed;
        }
        x ^ changed
    }
    fn three_continues(a, b, n) {
        let (mut x, mut latest) = (a, 0);
        for i in 0..n & 31 {
            if x & 1 == 0 { x >>= 1; continue; }
            if x & 2 == 0 { latest = x ^ i; x = x.wrapping_mul(3); continue; }
            if x & 4 == 0 { x ^= b; continue; }
            x = x.wrapping_sub(latest);
        }
        x ^ latest
    }
    fn nested_with_labels(a, b) {
        let mut count = 0_u64;
        'outer: for i in 0..8_u64 {
            for j in 0..8 {
                if (a >> (i * 8 + j)) & 1 == 1 { continue 'outer; }
                if (b >> (i + j)) & 3 == 3 { break 'outer; }
                count = count.wrapping_mul(7).wrapping_add(i ^ j);
            }
        }
        count
    }
    fn nested_ifs(a, b) {
        let mut x = 0_u64;
        if a & 1 == 1 {
            if b & 1 == 1 { x |= 1; } else if a & 2 == 2 { x |= 2; } else { x |= 4; }
            if a & b & 4 == 4 { x |= 8; }
        } else if b & 2 == 2 {
            x |= 16;
            if a < b { x |= 32; }
        }
        if x & 9 == 9 { a ^ x } else { b.wrapping_add(x) }
    }
    fn collatz(a, b) {
        let (mut x, mut turns) = (a & 0xff | 1, 0);
        while x != 1 && turns < 60 {
            x = if x & 1 == 0 { x / 2 } else { 3 * x + 1 };
            turns += 1;
        }
        turns << 32 ^ x
    }
    fn binary_search(a, b, n, m) {
        let (mut low, mut high) = (0_usize, 64_usize);
        while low < high {
            let middle = (low + high) / 2;
            if (m[middle] >> 32) + ((middle as u64) << 40) < a { low = middle + 1; } else { high = middle; }
        }
        low as u64
    }
    fn powers(a, b) {
        let (mut base, mut rest, mut result) = (a, b & 0xfff, 1_u64);
        while rest > 0 {
            if rest & 1 == 1 { result = result.wrapping_mul(base); }
            base = base.wrapping_mul(base);
            rest >>= 1;
        }
        result
    }
    fn square_root(a, b) { a.isqrt() ^ (b as u32).isqrt() as u64 }
    fn logarithms(a, b) { a.checked_ilog2().unwrap_or(90) as u64 ^ (b.checked_ilog10().unwrap_or(77) as u64) << 8 }
    fn counted_bits(a, b) {
        let (mut x, mut count) = (a, 0);
        while x != 0 { x &= x - 1; count += 1; }
        count ^ (b.count_ones() as u64) << 8
    }
    fn entered_in_the_middle(a, b) {
        let (mut i, mut x) = (a & 7, b);
        loop {
            if i < 4 { x = step(x); }
            x ^= i;
            i += 1;
            if i > 9 { break; }
        }
        x
    }
    fn last_value_of_loop(a, b, n) {
        let (mut r, mut last) = (a, 0);
        for i in 0..(b & 7) + (n & 3) { r = r.wrapping_mul(a).wrapping_add(b); last = r ^ i; }
        last
    }
    fn halves_in_loop(a, b, n) {
        let mut h = 0_u16;
        let (mut x, y) = (a as u32, b as u16);
        for _ in 0..n & 15 {
            h = if x & 1 == 1 { (x >> 16) as u16 } else { h.wrapping_add(y) };
            x = x.rotate_left(3);
        }
        (h as u32 ^ (x & 0xffff_0000)) as u64
    }
    fn halves_merged(a, b) {
        let x = a as u32;
        let h = if b & 1 == 1 { (x >> 16) as u16 } else if b & 2 == 2 { x as u16 } else { (b >> 16) as u16 };
        (h as u32 ^ (x & 0xffff_0000)) as u64 | (h.wrapping_neg() as u64) << 32
    }
    fn halves_of_common(a, b, n) {
        let mut h = n as u16;
        for i in 0..(a & 7) as u16 { h = h.wrapping_mul(3) ^ i; }
        (h as u64) | ((n as u32 & 0xffff_0000) as u64)
    }
    fn halves_pairwise(a, b, n) {
        let (mut low, mut high) = (a as u16, (a >> 16) as u16);
        for _ in 0..n & 7 {
            (low, high) = (low.wrapping_add(high.rotate_left(3)), if low < high { high ^ b as u16 } else { high.wrapping_sub(low) });
        }
        (low as u32 | (high as u32) << 16) as u64
    }
    fn signed_halves_in_loop(a, b, n) {
        let (mut x, mut y) = (a as i16, b as i16);
        for _ in 0..n & 7 { (x, y) = (y.wrapping_sub(x >> 2), x.max(y)); }
        (x as i32 as u32 ^ (y as u16 as u32) << 16) as u64
    }
    fn bytes_in_loop(a, b, n) {
        let (mut x, mut y) = (a as u8, b as i8);
        for _ in 0..n & 7 { (x, y) = (x.wrapping_add(y as u8) >> 1, (y >> 1) ^ x as i8); }
        x as u64 | (y as u64) << 8
    }
    fn floats_in_loop(a, b, n) {
        let (mut x, mut turns) = ((a as u8) as f32, 0_u32);
        while x > 1.5 && turns < n as u32 & 31 { x *= 0.75; turns += 1; }
        x.to_bits() as u64 | (turns as u64) << 32
    }
    fn escape(a, b) {
        let (cx, cy) = ((a & 0xff) as f32 / 64.0 - 2.5, (b & 0xff) as f32 / 128.0 - 1.0);
        let (mut x, mut y, mut turns) = (0.0_f32, 0.0_f32, 0_u64);
        while x * x + y * y < 4.0 && turns < 40 { (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy); turns += 1; }
        turns
    }
    fn inverted_conditions(a, b) {
        let t = a as u32 & 31;
        let mut out = 3_u32;
        if t == 20 { out = !t ^ 0x55aa; }
        if !(t > 5 && b & 1 == 0) { out = out.wrapping_add(t); }
        ((a < b) as u32).wrapping_neg().wrapping_add(out) as u64
    }
    fn running_maximum(a, b) {
        let (mut r, mut m) = (a as i32, i32::MIN);
        for _ in 0..4 { r = r.wrapping_sub(b as i32); m = m.max(r); }
        m as u32 as u64
    }
    fn signed_limit_of_unsigned(a, b) { ((0_u32.max(a as u32)) as i32).min(0) as u64 }
    fn negated_absolute(a, b) { (0 < 0_u32.wrapping_sub((a as i32).unsigned_abs())) as u64 }
    fn masked_thread_index(a, b, n, m) { m[(a as usize & (b as usize) << 6) & 255] }
    fn powers_of_common(a, b, n) {
        let mut x = n;
        let mut count = 0;
        while x < a && count < 64 { x = x.wrapping_mul(x | 3); count += 1; }
        x ^ count
    }
}
