/// Steps from each end that are made without a look at how many elements are left.
const STEPS: usize = 4;

/// Merges two rows into one that is as long as both, those of `a` first where none is less.
///
/// From both ends at once, so that two comparisons are under way. Whatever the comparison says, each element is taken once.
pub(super) fn merge<T: Copy>(a: &[T], b: &[T], out: &mut [T], is_less: &impl Fn(&T, &T) -> bool) {
    assert_eq!(a.len() + b.len(), out.len());
    let (mut a, mut b, mut out) = (a, b, out);
    loop {
        let steps = a.len().min(b.len()) / 2;
        if steps < STEPS {
            break;
        }
        let (mut i, mut j, mut i_end, mut j_end) = (0, 0, a.len(), b.len());
        for step in 0..steps {
            // SAFETY: each step takes one element at the front and one at the back. Twice as many are in each row, so that there are
            // some at each end. As many are written at each end as steps were made.
            unsafe {
                let (x, y) = (a.as_ptr().add(i), b.as_ptr().add(j));
                let second = is_less(&*y, &*x);
                out.as_mut_ptr().add(step).copy_from_nonoverlapping(if second { y } else { x }, 1);
                j += usize::from(second);
                i += usize::from(!second);
                let (x, y) = (a.as_ptr().add(i_end - 1), b.as_ptr().add(j_end - 1));
                let first = is_less(&*y, &*x);
                let last = out.len() - 1 - step;
                out.as_mut_ptr().add(last).copy_from_nonoverlapping(if first { x } else { y }, 1);
                i_end -= usize::from(first);
                j_end -= usize::from(!first);
            }
        }
        (a, b) = (&a[i..i_end], &b[j..j_end]);
        let end = out.len() - steps;
        out = &mut out[steps..end];
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let second = is_less(&b[j], &a[i]);
        out[i + j] = if second { b[j] } else { a[i] };
        j += usize::from(second);
        i += usize::from(!second);
    }
    let (rest_a, rest_b) = (&a[i..], &b[j..]);
    let out = &mut out[i + j..];
    let (out_a, out_b) = out.split_at_mut(rest_a.len());
    out_a.copy_from_slice(rest_a);
    out_b.copy_from_slice(rest_b);
}
