/// How many elements of `a` are among the first `len` of both merged, of which those of `a` come first where none is less.
///
/// The merge path of O. Green, R. McColl and D. Bader, *GPU merge path* (ICS 2012).
pub(super) fn split<T>(a: &[T], b: &[T], len: usize, is_less: &impl Fn(&T, &T) -> bool) -> usize {
    let (mut low, mut high) = (len.saturating_sub(b.len()), len.min(a.len()));
    while low < high {
        let middle = low + (high - low) / 2;
        if is_less(&b[len - 1 - middle], &a[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
