//! Until the CPU's own.

use crate::cpu::{Read, Workers};

pub(crate) unsafe fn inclusive_scan<I: Read>(
    _: &Workers,
    input: I,
    out: &mut [I::Item],
    op: impl Fn(I::Item, I::Item) -> I::Item,
) {
    let mut so_far = None;
    for (i, out) in out.iter_mut().enumerate() {
        let x = unsafe { input.get(i) };
        let next = so_far.map_or(x, |so_far| op(so_far, x));
        *out = next;
        so_far = Some(next);
    }
}

pub(crate) unsafe fn exclusive_scan<I: Read>(
    _: &Workers,
    input: I,
    out: &mut [I::Item],
    init: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item,
) {
    let mut so_far = init;
    for (i, out) in out.iter_mut().enumerate() {
        *out = so_far;
        so_far = op(so_far, unsafe { input.get(i) });
    }
}

pub(crate) unsafe fn select<I: Read>(
    _: &Workers,
    input: I,
    len: usize,
    predicate: impl Fn(I::Item) -> bool,
    out: &mut [I::Item],
) -> usize {
    let mut count = 0;
    for i in 0..len {
        let x = unsafe { input.get(i) };
        if predicate(x) {
            if let Some(out) = out.get_mut(count) {
                *out = x;
            }
            count += 1;
        }
    }
    count
}

pub(crate) unsafe fn select_flagged<I: Read>(
    _: &Workers,
    input: I,
    flags: impl Read<Item = bool>,
    len: usize,
    out: &mut [I::Item],
) -> usize {
    let mut count = 0;
    for i in 0..len {
        if unsafe { flags.get(i) } {
            if let Some(out) = out.get_mut(count) {
                *out = unsafe { input.get(i) };
            }
            count += 1;
        }
    }
    count
}

pub(crate) unsafe fn unique<I: Read>(
    _: &Workers,
    input: I,
    len: usize,
    same: impl Fn(&I::Item, &I::Item) -> bool,
    out: &mut [I::Item],
) -> usize {
    let mut count = 0;
    for i in 0..len {
        let x = unsafe { input.get(i) };
        if i == 0 || !same(&unsafe { input.get(i - 1) }, &x) {
            if let Some(out) = out.get_mut(count) {
                *out = x;
            }
            count += 1;
        }
    }
    count
}

pub(crate) unsafe fn partition<I: Read>(
    workers: &Workers,
    input: I,
    predicate: impl Fn(I::Item) -> bool,
    out: &mut [I::Item],
) -> usize {
    let len = out.len();
    let chosen = unsafe { select(workers, input, len, &predicate, out) };
    unsafe { select(workers, input, len, |x| !predicate(x), &mut out[chosen..]) };
    chosen
}

pub(crate) unsafe fn reduce_by_key<K: Copy + Send, V: Copy + Send, I: Read<Item = (K, V)>>(
    _: &Workers,
    input: I,
    len: usize,
    same: impl Fn(K, K) -> bool,
    op: impl Fn(V, V) -> V,
    keys: &mut [K],
    values: &mut [V],
) -> usize {
    let mut count = 0;
    let mut last: Option<(K, V)> = None;
    for i in 0..len {
        let (key, value) = unsafe { input.get(i) };
        last = Some(match last {
            Some((before, total)) if same(before, key) => (key, op(total, value)),
            _ => {
                if let Some(to) = keys.get_mut(count) {
                    *to = key;
                }
                count += 1;
                (key, value)
            }
        });
        if let (Some(to), Some((_, total))) = (values.get_mut(count - 1), last) {
            *to = total;
        }
    }
    count
}

pub(crate) unsafe fn scan_by_key<K: Copy + Send, V: Copy + Send, I: Read<Item = (K, V)>>(
    _: &Workers,
    input: I,
    init: Option<V>,
    same: impl Fn(K, K) -> bool,
    op: impl Fn(V, V) -> V,
    out: &mut [V],
) {
    let mut last: Option<(K, V)> = None;
    for (i, out) in out.iter_mut().enumerate() {
        let (key, value) = unsafe { input.get(i) };
        let before = last.filter(|(before, _)| same(*before, key)).map(|(_, total)| total);
        let so_far = before.map_or(value, |before| op(before, value));
        *out = match init {
            Some(init) => before.map_or(init, |before| op(init, before)),
            None => so_far,
        };
        last = Some((key, so_far));
    }
}

pub(crate) unsafe fn reduce_segments<I: Read>(
    _: &Workers,
    input: I,
    len: usize,
    offset: impl Fn(usize) -> u64,
    neutral: I::Item,
    op: impl Fn(I::Item, I::Item) -> I::Item,
    out: &mut [I::Item],
) {
    for (i, out) in out.iter_mut().enumerate() {
        let bound = |i| offset(i).min(len as u64) as usize;
        *out = (bound(i)..bound(i + 1)).fold(neutral, |total, i| op(total, unsafe { input.get(i) }));
    }
}

pub(crate) unsafe fn adjacent_difference<I: Read>(
    _: &Workers,
    input: I,
    op: impl Fn(I::Item, I::Item) -> I::Item,
    out: &mut [I::Item],
) {
    for (i, out) in out.iter_mut().enumerate() {
        let x = unsafe { input.get(i) };
        *out = if i == 0 { x } else { op(x, unsafe { input.get(i - 1) }) };
    }
}
