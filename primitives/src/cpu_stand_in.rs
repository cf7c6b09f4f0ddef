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
