//! Iterators, ranges and their adaptors.

use crate::rows::rows;

rows! { iterators: u32, words 2, |a, b, c| {
    sum: [a >> 8, b >> 8, c >> 8].iter().sum::<u32>();
    product: [a % 9, b % 9, c % 9].iter().product::<u32>();
    fold: (0..a % 20).fold(b, |x, i| x.rotate_left(1) ^ i);
    try_fold: [a >> 1, b >> 1, c].iter().try_fold(0_u32, |sum, x| sum.checked_add(*x));
    reduce: [a, b, c].into_iter().reduce(|x, y| x.wrapping_mul(y));
    map_filter: (0..10).map(|i| a >> i).filter(|x| x % 3 == 0).count();
    filter_map: (0..10).filter_map(|i| a.checked_sub(b >> i)).max();
    enumerate: [a, b, c].iter().enumerate().map(|(i, x)| x >> i).fold(0, |x, y| x ^ y);
    zip: [a, b].iter().zip([b, c]).map(|(x, y)| x ^ y).max();
    chain: [a].iter().chain(&[b, c]).copied().min();
    rev: [a, b, c].iter().rev().fold(0, |x: u32, y| x.wrapping_mul(3) ^ y);
    step_by: (0..a % 50).step_by(7).fold(b, |x, i| x ^ i);
    step_back: (0..=a % 50).rev().step_by(3).last();
    take_while: (0..32).take_while(|i| a >> i > b >> i).count();
    skip_while: [a, b, c].into_iter().skip_while(|x| x % 2 == 0).count();
    map_while: (0..9).map_while(|i| a.checked_sub(b >> i)).last();
    skip_take: (0..20_u32).skip((a % 9) as usize).take((b % 9) as usize).fold(c, |x, i| x ^ i << 3);
    flat_map: (0..3_u32).flat_map(|i| [a >> i, b >> i]).fold(0, |x, y| x ^ y);
    flatten: [[a, b], [b, c]].into_iter().flatten().max();
    scan: [a, b, c].iter().scan(0_u32, |sum, x| { *sum ^= x; Some(*sum) }).max();
    peekable: { let mut it = [a, b, c].into_iter().peekable(); let p = it.peek().copied(); it.next(); p.unwrap_or(0) ^ it.next().unwrap_or(0) };
    cycle: [a, b, c].iter().cycle().skip(4).take(2).fold(0, |x, y| x ^ y);
    windowed_pairs: (0..5_u32).zip(1..).map(|(i, j)| (a >> i) ^ (a >> j)).max();
    any: [a, b, c].iter().any(|x| x % 5 == 0);
    all: [a, b, c].iter().all(|x| x % 2 == 0);
    find: [a, b, c].into_iter().find(|x| x % 3 == 1);
    find_map: [a, b, c].into_iter().find_map(|x| x.checked_sub(1 << 31));
    position: [a, b, c].iter().position(|x| x % 3 == 2);
    min_by_key: [a, b, c].into_iter().min_by_key(|x| x.count_ones()).map(u32::count_ones);
    max_by: [a, b, c].into_iter().max_by(|x, y| (x >> 4).cmp(&(y >> 4))).map(|x| x >> 4);
    nth: [a, b, c].into_iter().nth((a % 4) as usize);
    last: (a % 7..b % 7).last();
    eq: [a % 2, b % 2].iter().eq([b % 2, c % 2].iter());
    cmp: [a % 2, b].iter().cmp([b % 2, a].iter());
    is_empty: (a..b).is_empty();
    contains: (a.min(b)..=a.max(b)).contains(&c);
    len: (a % 100..200).len();
    unzip_by_hand: [a, b, c].into_iter().fold((0_u32, 0_u32), |(even, odd), x| if x % 2 == 0 { (even ^ x, odd) } else { (even, odd ^ x) });
    inclusive_to_the_end: (u32::MAX - a % 4..=u32::MAX).count();
    successors: core::iter::successors(Some(a | 1), |x| (*x < 1 << 20).then(|| x << 2)).count();
    from_fn: { let mut x = a; core::iter::from_fn(|| { x >>= 3; (x != 0).then_some(x) }).count() };
    repeat: core::iter::repeat_n(a, (b % 5) as usize).fold(0, |x: u32, y| x.wrapping_add(y));
    once: core::iter::once(a).chain(core::iter::empty()).count();
    by_ref: { let mut it = 0..10_u32; let first = it.by_ref().take(3).fold(a, |x, i| x ^ i); it.fold(first, |x, i| x ^ i << 4) };
    is_sorted: (0..4).map(|i| a >> i).is_sorted();
    inspect: (0..3).inspect(|_| {}).count() ^ a as usize;
    fused: { let mut it = (0..a % 3).fuse(); it.next(); it.next(); it.next(); it.next().is_none() };
    double_ended: { let mut it = [a, b, c].into_iter(); it.next_back(); it.next_back() };
} }
