//! Indices that wrap, neighbours that are read together, and arrays that are moved: the value has to come from its own place.

use crate::probe::probes;

/// A step down by a comparison, and one by its negation: beside the place after straight-line strength reduction.
#[inline(always)]
fn by_comparison(x: &[u64; 256], i: usize) -> [u64; 2] {
    let i = (i & 15) + 4;
    let less = x[i] < x[i + 1];
    [x[i + 1 - less as usize], x[i + 1 - !less as usize]]
}

/// Some numbers of the arguments.
#[inline(always)]
fn mixed<const N: usize>(a: u64, b: u64) -> [u32; N] {
    core::array::from_fn(|i| (a as u32).wrapping_mul(i as u32 + 1).rotate_left(i as u32) ^ (b as u32))
}

#[inline(always)]
fn changed(x: &mut [u32; 24], by: u64) {
    for (i, x) in x.iter_mut().enumerate() {
        *x = x.wrapping_add((by as u32) << (i & 7));
    }
}

#[inline(always)]
fn folded(x: &[u32]) -> u64 {
    x.iter().fold(0, |sum: u64, &x| sum.rotate_left(7) ^ x as u64)
}

#[derive(Clone, Copy)]
struct Parts {
    low: u8,
    flag: bool,
    middle: u16,
    wide: u64,
    rest: [u16; 3],
}

#[inline(always)]
fn parts(a: u64, b: u64) -> Parts {
    Parts {
        low: a as u8,
        flag: a < b,
        middle: b as u16,
        wide: a ^ b,
        rest: [a as u16, b as u16, (a >> 48) as u16],
    }
}

#[inline(always)]
fn folded_parts(x: Parts) -> u64 {
    x.wide
        ^ (x.low as u64) << 3
        ^ (x.flag as u64) << 60
        ^ (x.middle as u64) << 20
        ^ x.rest.iter().fold(0, |sum: u64, &x| sum.rotate_left(11) ^ x as u64)
}

probes! {
    all_memory:
    fn down_by_comparison(a, b, n, m) { let [x, y] = by_comparison(m, a as usize); x ^ y.rotate_left(1) }
    fn up_by_comparison(a, b, n, m) {
        let i = (a as usize & 15) + 4;
        let less = m[i] < m[i + 1];
        m[i + less as usize] ^ m[i + !less as usize].rotate_left(1)
    }
    fn by_two_comparisons(a, b, n, m) {
        let i = (a as usize & 15) + 8;
        let (p, q) = (m[i] < m[i + 1], m[i] < b);
        m[i + 2 - p as usize - q as usize] ^ m[i - !p as usize + !q as usize].rotate_left(1)
    }
    fn by_scaled_comparison(a, b, n, m) {
        let i = (a as usize & 15) + 16;
        let less = a < b;
        m[i - 4 * less as usize] ^ m[i - 4 * !less as usize].rotate_left(1) ^ m[i + 4 * less as usize].rotate_left(2)
    }
    fn by_signed_flag(a, b, n, m) {
        let (i, less) = ((a as i32 & 15) + 16, a < b);
        m[(i - less as i32) as usize & 255] ^ m[(i - !less as i32) as usize & 255].rotate_left(1)
    }
    fn written_by_comparison(a, b) {
        let mut x = mixed::<32>(a, b);
        let i = (b as usize & 15) + 4;
        let less = x[i] < x[i + 1];
        x[i + 1 - less as usize] = 5;
        x[i + 1 - !less as usize] = 9;
        folded(&x)
    }
    fn sorted_8(a, b) { let mut x = mixed::<8>(a, b); x.sort_unstable(); folded(&x) }
    fn sorted_32(a, b) { let mut x = mixed::<32>(a, b); x.sort_unstable(); folded(&x) }
    fn sorted_by_hand(a, b) {
        let mut x = mixed::<12>(a, b);
        for i in 1..x.len() {
            let mut k = i;
            while k > 0 && x[k - 1] > x[k] { x.swap(k - 1, k); k -= 1; }
        }
        folded(&x)
    }
    fn sorted_by_network(a, b) {
        let mut x = mixed::<8>(a, b);
        for width in [1, 2, 4] {
            for half in (0..3).map(|i| width >> i).take_while(|&half| half > 0) {
                for i in 0..8 {
                    let other = i ^ half;
                    if other > i && (x[i] > x[other]) == (i & (2 * width) == 0) { x.swap(i, other); }
                }
            }
        }
        folded(&x)
    }
    fn merged(a, b) {
        let (mut x, mut y) = (mixed::<8>(a, b), mixed::<8>(b, a));
        x.sort_unstable();
        y.sort_unstable();
        let (mut i, mut k) = (0, 0);
        let all: [u32; 16] = core::array::from_fn(|_| {
            if k == 8 || (i < 8 && x[i] <= y[k]) { i += 1; x[i - 1] } else { k += 1; y[k - 1] }
        });
        folded(&all)
    }

    fn wrapped_byte(a, b, n, m) { let i = a as u8; m[i as usize] ^ m[i.wrapping_add(64) as usize].rotate_left(1) }
    fn wrapped_byte_by_one(a, b, n, m) { let i = a as u8; m[i as usize] ^ m[i.wrapping_add(1) as usize].rotate_left(1) }
    fn wrapped_byte_four(a, b, n, m) {
        let i = a as u8;
        (0..4).fold(0, |sum: u64, k| sum.rotate_left(3) ^ m[i.wrapping_add(k) as usize])
    }
    fn wrapped_byte_down(a, b, n, m) { let i = a as u8; m[i.wrapping_sub(1) as usize] ^ m[i as usize].rotate_left(1) }
    fn wrapped_byte_product(a, b, n, m) { let i = (a as u8).wrapping_mul(2); m[i as usize] ^ m[i.wrapping_add(1) as usize].rotate_left(1) }
    fn wrapped_byte_scaled(a, b, n, m) { let i = a as u8; m[i.wrapping_mul(3) as usize] ^ m[i.wrapping_mul(3).wrapping_add(1) as usize].rotate_left(1) }
    fn wrapped_half(a, b, n, m) { let i = a as u16; m[(i >> 8) as usize] ^ m[(i.wrapping_add(256) >> 8) as usize].rotate_left(1) }
    fn wrapped_half_masked(a, b, n, m) { let i = a as u16; m[(i & 255) as usize] ^ m[(i.wrapping_add(1) & 255) as usize].rotate_left(1) }
    fn wrapped_word_masked(a, b, n, m) { let i = (a as u32).wrapping_mul(n as u32); m[(i & 255) as usize] ^ m[(i.wrapping_add(1) & 255) as usize].rotate_left(1) }
    fn wrapped_signed(a, b, n, m) { let i = a as i8; m[(i as u8) as usize] ^ m[(i.wrapping_add(1) as u8) as usize].rotate_left(1) }
    fn wrapped_pair_of_words(a, b) {
        let x = mixed::<64>(a, b);
        let i = (b as u8) & 63;
        x[i as usize] as u64 ^ (x[(i.wrapping_add(1) & 63) as usize] as u64) << 32
    }
    fn constant_through_truncation(a, b, n, m) { m[(a.wrapping_add(5) as u8) as usize] }
    fn constant_through_truncation_twice(a, b, n, m) { m[(a.wrapping_add(5) as u8) as usize] ^ m[(a.wrapping_add(6) as u8) as usize].rotate_left(1) }
    fn constant_through_shift(a, b, n, m) { m[((a as u8).wrapping_add(16) >> 2) as usize] ^ m[((a as u8 >> 2) + 4) as usize & 255].rotate_left(1) }
    fn constant_through_widening(a, b, n, m) { m[((a as u8).wrapping_sub(3) as usize) & 127] ^ m[((a as i8).wrapping_sub(3) as i64 & 127) as usize].rotate_left(1) }
    fn constant_through_or(a, b, n, m) { m[(a as usize & 0xf0) | 5] ^ m[((a as usize & 0xf0) | 4) ^ 1].rotate_left(1) }
    fn constant_through_xor(a, b, n, m) { m[(a as usize & 0xff) ^ 5] ^ m[(a as usize & 0xff) ^ 4].rotate_left(1) }
    fn strided(a, b, n, m) {
        let (i, stride) = (a as usize & 63, (b as usize & 3) + 1);
        (0..8).fold(0, |sum: u64, k| sum.rotate_left(5) ^ m[(i + k * stride) & 255])
    }
    fn two_strides(a, b, n, m) {
        let i = a as usize & 31;
        (0..4).fold(0, |sum: u64, k| sum.rotate_left(5) ^ m[3 * i + k] ^ m[2 * i + 2 * k])
    }
    fn neighbours_backwards(a, b, n, m) { let i = (a as usize & 127) + 4; m[i - 1] ^ m[i - 2].rotate_left(1) ^ m[i - 3].rotate_left(2) ^ m[i - 4].rotate_left(3) }
    fn matrix_of_common_width(a, b, n, m) {
        let (width, row, col) = ((n as usize & 7) + 3, a as usize & 7, b as usize & 7);
        m[row * width + col] ^ m[(row + 1) * width + col].rotate_left(1) ^ m[row * width + col + 1].rotate_left(2)
    }
    fn common_element(a, b, n, m) { m[n as usize & 255] ^ m[(n as usize + 1) & 255].rotate_left(1) ^ a }
    fn bytes_of_elements(a, b, n, m) { m[a as usize & 255].to_le_bytes()[b as usize & 7] as u64 }

    fn copied_and_changed(a, b) {
        let x = mixed::<24>(a, b);
        let mut y = x;
        changed(&mut y, b);
        folded(&x) ^ folded(&y).rotate_left(1)
    }
    fn copied_with_return_between(a, b) {
        let x = mixed::<24>(a, b);
        let mut y = x;
        if a & 3 == 3 { return folded(&x[..5]); }
        changed(&mut y, a);
        if b & 3 == 3 { return folded(&y[..5]); }
        folded(&x) ^ folded(&y).rotate_left(1)
    }
    fn copied_through_another(a, b) {
        let mut x = mixed::<24>(a, b);
        let y = x;
        let mut z = y;
        x[(a & 15) as usize] = 1;
        z[(b & 15) as usize] = 2;
        folded(&x) ^ folded(&y).rotate_left(1) ^ folded(&z).rotate_left(2)
    }
    fn copied_in_loop(a, b, n) {
        let mut x = mixed::<24>(a, b);
        for i in 0..n & 7 {
            let mut y = x;
            changed(&mut y, i);
            if (y[3] ^ y[i as usize]) & 1 == 0 { x = y; }
        }
        folded(&x)
    }
    fn swapped(a, b) {
        let (mut x, mut y) = (mixed::<24>(a, b), mixed::<24>(b, a));
        core::mem::swap(&mut x, &mut y);
        if a < b { core::mem::swap(&mut x, &mut y); }
        changed(&mut x, 3);
        folded(&x) ^ folded(&y).rotate_left(1)
    }
    fn replaced(a, b) {
        let mut x = mixed::<24>(a, b);
        let old = core::mem::replace(&mut x, [a as u32; 24]);
        x[(b & 15) as usize] = old[(a & 15) as usize];
        folded(&x) ^ folded(&old).rotate_left(1)
    }
    fn filled_and_shifted(a, b) {
        let mut x = mixed::<24>(a, b);
        x.copy_within(3..20, 1);
        x[20..].fill(b as u32);
        x.rotate_left((a & 7) as usize);
        folded(&x)
    }
    fn struct_moved(a, b) {
        let mut x = parts(a, b);
        let y = x;
        x.rest.swap(0, 2);
        x.low = x.low.wrapping_add(y.middle as u8);
        if y.flag { x.wide = y.wide.rotate_left(3); }
        folded_parts(x) ^ folded_parts(y).rotate_left(1)
    }
    fn structs_in_array(a, b) {
        let mut x = [parts(a, b), parts(b, a), parts(a ^ b, a)];
        x.swap((a & 1) as usize, 2);
        let y = x[(b % 3) as usize];
        x[(a % 3) as usize] = y;
        x.iter().fold(0, |sum: u64, &x| sum.rotate_left(13) ^ folded_parts(x))
    }
    fn big_local(a, b) {
        let mut x = [0_u64; 300];
        for i in 0..40 { x[((a as usize & 0xff) + i * 7) % 300] = b.wrapping_mul(i as u64 + 1); }
        let y = x[(b as usize & 0xff) + 9];
        if y == 0 { x[(a % 300) as usize] ^ 5 } else { y ^ x[(b % 300) as usize] }
    }
    fn big_local_and_values(a, b, n) {
        // Many values that live across indexed stores.
        let mut x = [0_u64; 96];
        let values: [u64; 24] = core::array::from_fn(|i| a.rotate_left(i as u32).wrapping_mul(b | 1));
        for i in 0..(n as usize & 15) + 4 { x[(values[i & 7] % 96) as usize] = values[i % 24] ^ i as u64; }
        if n & 8 == 8 { x[(a % 96) as usize] = 3; }
        values.iter().enumerate().fold(x[(b % 96) as usize], |sum, (i, &v)| sum.rotate_left(3) ^ v ^ x[i * 4])
    }
    fn local_bytes(a, b) {
        let mut x = [0_u8; 64];
        for i in 0..8 { x[(a >> (8 * i)) as usize & 63] = b.to_le_bytes()[i]; }
        x[(b & 63) as usize] as u64 | u64::from_le_bytes(core::array::from_fn(|i| x[i * 8])) << 8
    }
    fn local_words_as_bytes(a, b) {
        let mut x = [0_u8; 16];
        x[..8].copy_from_slice(&a.to_le_bytes());
        x[(a & 7) as usize + 1..][..4].copy_from_slice(&(b as u32).to_be_bytes());
        u64::from_le_bytes(core::array::from_fn(|i| x[i + 3]))
    }
    fn looked_up(a, b) { [3_u64, 1 << 40, 5, 0xffff_ffff_ffff][(a & 3) as usize] ^ [7_u8, 200, 9, 255, 0][(b % 5) as usize] as u64 }
}
