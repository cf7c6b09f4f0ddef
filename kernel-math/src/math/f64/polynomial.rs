use crate::arch::Instructions;

/// The polynomial with these coefficients, the constant one first, by Horner's rule.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    let mut term = N - 1;
    while term > 0 {
        term -= 1;
        sum = Instructions::mul_add(sum, x, coefficients[term]);
    }
    sum
}
