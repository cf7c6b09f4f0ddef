//! `Option`, `Result`, cells, and what is done with values in memory.

use crate::rows::rows;

rows! { options: u32, words 2, |a, b, c| {
    eq: (a > b).then_some(a % 2) == (b > c).then_some(b % 2);
    lt: (a > b).then_some(a) < Some(c);
    map: (a > b).then_some(a).map(|x| x >> 1);
    map_or: (a > b).then_some(a).map_or(7, |x| x >> 1);
    and_then: Some(a).and_then(|x| x.checked_sub(b));
    or: a.checked_sub(b).or(b.checked_sub(c));
    or_else: a.checked_sub(b).or_else(|| b.checked_sub(c));
    xor: (a > b).then_some(a).xor((b > c).then_some(b));
    filter: Some(a).filter(|x| x % 2 == 0);
    zip: a.checked_sub(b).zip(b.checked_sub(c)).map(|(x, y)| x ^ y);
    unwrap_or: a.checked_sub(b).unwrap_or(c);
    unwrap_or_default: a.checked_rem(b).unwrap_or_default();
    is_some_and: a.checked_sub(b).is_some_and(|x| x > c);
    take: { let mut x = a.checked_sub(b); let y = x.take(); y.unwrap_or(1) ^ x.unwrap_or(2) };
    replace: { let mut x = a.checked_sub(b); let old = x.replace(c); old.unwrap_or(3) ^ x.unwrap_or(4) };
    get_or_insert: { let mut x = a.checked_sub(b); *x.get_or_insert(c) };
    insert: { let mut x = None; *x.insert(a) };
    as_mut: { let mut x = Some(a); if let Some(x) = x.as_mut() { *x ^= b; } x };
    ok_or: a.checked_sub(b).ok_or(c).unwrap_or_else(|c| c ^ 1);
    question: (|| Some(a.checked_sub(b)? ^ b.checked_sub(c)?))();
    flatten: Some(a.checked_sub(b)).flatten();
    transpose: a.checked_sub(b).map(Ok::<u32, u32>).transpose().map_or(5, |x| x.unwrap_or(6));
    copied: [a, b].get((c % 3) as usize).copied();
    iter: a.checked_sub(b).iter().chain(b.checked_sub(c).iter()).count();
    let_else: { let Some(x) = a.checked_sub(b) else { return [c.into(), 9, 0] }; x };
    expect: char::from_digit(a % 10, 10).expect("a digit");
} }

rows! { results: u32, words 2, |a, b, c| {
    ok: u8::try_from(a).ok().map(u32::from);
    err: if a > b { Err::<u32, u32>(c) } else { Ok(a) }.err();
    map: if a > b { Err::<u32, u32>(c) } else { Ok(a) }.map(|x| x ^ 1).unwrap_or(0);
    map_err: if a > b { Err::<u32, u32>(c) } else { Ok(a) }.map_err(|x| x ^ 1).unwrap_or_else(|x| x);
    and_then: u16::try_from(a).and_then(|x| u8::try_from(x as u32 ^ b)).is_ok();
    is_ok_and: u16::try_from(a).is_ok_and(|x| x > 9);
    question: (|| -> Result<u32, core::num::TryFromIntError> { Ok(u32::from(u16::try_from(a)?) ^ u32::from(u8::try_from(b)?)) })().unwrap_or(c);
    eq: u8::try_from(a).ok() == u8::try_from(b).ok();
    matched: match u8::try_from(a) { Ok(0..=9) => 1, Ok(x) if x % 2 == 0 => 2, Ok(_) => 3, Err(_) => 4_u32 };
} }

rows! { memory: u32, words 2, |a, b, c| {
    swap: { let (mut x, mut y) = (a, b); core::mem::swap(&mut x, &mut y); (x, y) };
    replace: { let mut x = a; let old = core::mem::replace(&mut x, b); (x, old) };
    take: { let mut x = a; let old = core::mem::take(&mut x); (x, old) };
    size_of: size_of::<(u32, u8)>() + align_of::<u64>() + size_of_val(&[a; 3]);
    cell: { let x = core::cell::Cell::new(a); x.set(x.get() ^ b); x.replace(c) };
    ref_cell: { let x = core::cell::RefCell::new(a); *x.borrow_mut() ^= b; *x.borrow() };
    try_borrow: { let x = core::cell::RefCell::new(a); let _held = x.borrow_mut(); x.try_borrow().is_err() };
    tuple_eq: (a % 2, b % 2) == (b % 2, c % 2);
    tuple_cmp: (a % 2, b, c).cmp(&(b % 2, a, c));
    reverse: core::cmp::Reverse(a).cmp(&core::cmp::Reverse(b));
    then_with: (a % 2).cmp(&(b % 2)).then_with(|| b.cmp(&c));
    ordering: matches!(a.cmp(&b), core::cmp::Ordering::Less | core::cmp::Ordering::Equal);
    max_by_key: core::cmp::max(a, b).wrapping_sub(core::cmp::min(b, c));
    clamp: a.clamp(b.min(c), b.max(c));
    wrapping: (core::num::Wrapping(a) * core::num::Wrapping(b) - core::num::Wrapping(c)).0;
    non_zero: core::num::NonZero::new(a % 4).map_or(0, |x| b / x);
    default: <(u32, [u8; 4])>::default().0 ^ a;
    from: u64::from(a) << 32 | u64::from(b);
    closure: { let add = |x: u32| x.wrapping_add(a); add(add(b)) };
    function_pointer: { let f: fn(u32, u32) -> u32 = if a > b { u32::wrapping_add } else { u32::wrapping_sub }; f(b, c) };
    shadowed_loop: { let mut x = a; let mut turns = 0_u32; while x != 0 && turns < 40 { x &= x - 1; turns += 1; } turns };
    labelled: 'outer: { for i in 0..8 { if a >> i & 1 == 1 { break 'outer i; } } 99_u32 };
    hint: core::hint::black_box(a) ^ core::hint::black_box(b);
    constant: const { 3_u32.pow(4) } ^ a;
    assertion: { assert!(a as u64 <= 1 << 32, "never {a}"); assert_eq!(a % 3 / 3, 0); debug_assert_ne!(a, !a); a };
} }
