//! Sort of a few elements, without branches that can't be foreseen: as `small_sort_general` of Rust's library.

/// The most elements.
pub(in crate::cpu::sort) const SMALL: usize = 32;

/// Sorts up to [`SMALL`] elements, stable. `temp` is as long.
pub(in crate::cpu::sort) fn small_sort<T: Copy>(
    v: &mut [T],
    temp: &mut [T],
    is_less: &impl Fn(&T, &T) -> bool,
) {
    let len = v.len();
    if len < 2 {
        return;
    }
    assert!(len <= SMALL && temp.len() >= len);
    let half = len / 2;
    // SAFETY: halves have as many elements as are sorted at once, and `temp` is as long as both.
    unsafe {
        let (from, to) = (v.as_ptr(), temp.as_mut_ptr());
        let sorted = if len >= 16 {
            let mut four = [*from; 8];
            for start in [0, half] {
                sort_four(from.add(start), four.as_mut_ptr(), is_less);
                sort_four(from.add(start + 4), four.as_mut_ptr().add(4), is_less);
                merge_halves(four.as_ptr(), to.add(start), 8, is_less);
            }
            8
        } else if len >= 8 {
            sort_four(from, to, is_less);
            sort_four(from.add(half), to.add(half), is_less);
            4
        } else {
            *to = *from;
            *to.add(half) = *from.add(half);
            1
        };
        for (start, end) in [(0, half), (half, len)] {
            for i in start + sorted..end {
                let element = *from.add(i);
                let mut hole = i;
                while hole > start && is_less(&element, &*to.add(hole - 1)) {
                    *to.add(hole) = *to.add(hole - 1);
                    hole -= 1;
                }
                *to.add(hole) = element;
            }
        }
        merge_halves(to, v.as_mut_ptr(), len, is_less);
    }
}

/// Sorts four elements, stable, by five comparisons.
///
/// # Safety
/// Both places have four, and don't overlap.
unsafe fn sort_four<T: Copy>(v: *const T, to: *mut T, is_less: &impl Fn(&T, &T) -> bool) {
    // SAFETY: whatever the comparison says, each pointer is to one of the four.
    unsafe {
        let first = usize::from(is_less(&*v.add(1), &*v));
        let second = usize::from(is_less(&*v.add(3), &*v.add(2)));
        // a ≤ b and c ≤ d.
        let (a, b) = (v.add(first), v.add(1 - first));
        let (c, d) = (v.add(2 + second), v.add(3 - second));
        let c_least = is_less(&*c, &*a);
        let b_most = is_less(&*d, &*b);
        let least = if c_least { c } else { a };
        let most = if b_most { b } else { d };
        // The other two, in the order that they had.
        let left = if c_least {
            a
        } else if b_most {
            c
        } else {
            b
        };
        let right = if b_most {
            d
        } else if c_least {
            b
        } else {
            c
        };
        let turned = is_less(&*right, &*left);
        to.copy_from_nonoverlapping(least, 1);
        to.add(1).copy_from_nonoverlapping(if turned { right } else { left }, 1);
        to.add(2).copy_from_nonoverlapping(if turned { left } else { right }, 1);
        to.add(3).copy_from_nonoverlapping(most, 1);
    }
}

/// Merges two halves, the second of which may have one element more, from both ends.
///
/// # Safety
/// Both places have `len` elements, and don't overlap.
unsafe fn merge_halves<T: Copy>(v: *const T, to: *mut T, len: usize, is_less: &impl Fn(&T, &T) -> bool) {
    let half = len / 2;
    let (mut i, mut j, mut i_end, mut j_end) = (0, half, half, len);
    // SAFETY: there are as many steps as the first half has elements, so that each index has moved by fewer when it is used.
    unsafe {
        for step in 0..half {
            let (x, y) = (v.add(i), v.add(j));
            let second = is_less(&*y, &*x);
            to.add(step).copy_from_nonoverlapping(if second { y } else { x }, 1);
            j += usize::from(second);
            i += usize::from(!second);
            let (x, y) = (v.add(i_end - 1), v.add(j_end - 1));
            let first = is_less(&*y, &*x);
            to.add(len - 1 - step).copy_from_nonoverlapping(if first { x } else { y }, 1);
            i_end -= usize::from(first);
            j_end -= usize::from(!first);
        }
        if len % 2 == 1 {
            *to.add(half) = *v.add(if i < i_end { i } else { j });
        }
    }
}
