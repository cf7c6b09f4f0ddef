//! Arrays and slices.

use crate::rows::rows;

rows! { arrays: u32, words 2, |a, b, c| {
    eq: [a % 2, b % 2, c % 2] == [b % 2, c % 2, a % 2];
    eq_of_bytes: [a as u8 % 4; 16] == [b as u8 % 4; 16];
    ne: [a, b] != [b, a];
    lt: [a % 3, b, c] < [b % 3, c, a];
    cmp: [a % 2, b % 2, c].cmp(&[b % 2, a % 2, b]);
    cmp_of_bytes: a.to_le_bytes().cmp(&b.to_le_bytes());
    map: [a, b, c].map(|x| x >> 3).iter().fold(0, |sum: u32, x| sum.wrapping_mul(31) ^ x);
    from_fn: core::array::from_fn::<u32, 5, _>(|i| a.wrapping_add(i as u32)).iter().fold(0, |x, y| x ^ y.rotate_left(3));
    index: [a, b, c][(a % 3) as usize];
    get: [a, b, c].get((b % 5) as usize).copied();
    repeat_of_array: [[a, b]; 2] == [[b, a]; 2];
    is_in: [1, 2, a % 7].contains(&(b % 7));
    each_ref: [a, b].each_ref().map(|x| *x ^ 1)[1];
    try_from: <[u32; 2]>::try_from(&[a, b, c][..(a % 4) as usize]).map_or(7, |[x, y]| x ^ y);
    destructured: match [a % 3, b % 3] { [0, _] => 1, [x, 1] => x + 10, [_, y] => y + 20 };
    sorted: { let mut all = [a, b, c]; all.sort_unstable(); all[1] };
    sorted_by_key: { let mut all = [a, b, c]; all.sort_unstable_by_key(|x| x.count_ones()); all[0].count_ones() };
    sorted_of_20: { let mut all: [u32; 20] = core::array::from_fn(|i| a.wrapping_mul(i as u32 + 1) ^ b); all.sort_unstable(); all[7] };
    is_sorted: [a, b, c].is_sorted();
} }

rows! { slices: u32, words 2, |a, b, c| {
    starts_with: [a % 2, b % 2, c % 2].starts_with(&[b % 2, a % 2]);
    ends_with: a.to_le_bytes().ends_with(&b.to_le_bytes()[3..]);
    eq: [a % 2, b % 2, c][..2] == [b % 2, a % 2, a][..2];
    strip_prefix: [a % 2, b, c].strip_prefix(&[1]).map(|rest| rest.len() as u32);
    first: [a, b, c][(a % 4) as usize..].first().copied();
    last: [a, b, c][..(a % 4) as usize].last().copied();
    split_at: { let all = [a, b, c]; let (x, y) = all.split_at((a % 4) as usize); x.len() * 10 + y.len() };
    split_first: [a, b].split_first().map(|(x, rest)| x ^ rest[0]);
    split_at_checked: [a, b, c].split_at_checked((b % 6) as usize).map(|(x, _)| x.len());
    reverse: { let mut all = [a, b, c]; all.reverse(); all[0] };
    swap: { let mut all = [a, b, c]; all.swap((a % 3) as usize, (b % 3) as usize); all[0] };
    rotate_left: { let mut all = [a, b, c]; all.rotate_left((a % 4) as usize); all[2] };
    fill: { let mut all = [a; 4]; all[(b % 4) as usize..].fill(c); all[2] };
    copy_from_slice: { let mut all = [0; 3]; all.copy_from_slice(&[c, b, a]); all[1] };
    copy_within: { let mut all = [a, b, c]; all.copy_within(..2, 1); all[2] };
    clone_from_slice: { let mut all = [0; 2]; all.clone_from_slice(&[b, c]); all[1] };
    concat_of_chunks: [a, b, c].chunks(2).fold(0, |sum: u32, chunk| sum.wrapping_mul(7) ^ chunk[0] ^ chunk.len() as u32);
    chunks_exact: [a, b, c].chunks_exact(2).remainder()[0];
    as_chunks: [a, b, c].as_chunks::<2>().1[0];
    rchunks: [a, b, c].rchunks(2).last().map(|chunk| chunk[0]);
    windows: [a, b, c].windows(2).filter(|pair| pair[0] < pair[1]).count();
    array_windows: [a, b, c, a].windows(3).map(|w| w[0] ^ w[2]).fold(0, |x, y| x ^ y);
    split: [a % 3, b % 3, c % 3, 1].split(|x| *x == 0).map(<[u32]>::len).max();
    binary_search: { let all = [1, 5, 9, 100, 70_000]; match all.binary_search(&a) { Ok(at) => at, Err(at) => at + 100 } };
    partition_point: [1, 5, 9, 100, 70_000].partition_point(|x| *x < a);
    select_nth: { let mut all = [a, b, c, a ^ b, b ^ c]; *all.select_nth_unstable(2).1 };
    iter_max: [a, b, c].iter().max().copied();
    iter_position: [a % 5, b % 5, c % 5].iter().position(|x| *x == 2);
    to_owned_array: { let x: [u32; 3] = [a, b, c][..].try_into().unwrap_or([0; 3]); x[2] };
    first_chunk: [a, b, c].first_chunk::<2>().map(|chunk| chunk[1]);
    as_ptr_range: { let all = [a, b, c]; let range = all.as_ptr_range(); range.end.addr() - range.start.addr() };
    escape: a.to_le_bytes().eq_ignore_ascii_case(&b.to_le_bytes());
    is_ascii: a.to_le_bytes().is_ascii();
} }
