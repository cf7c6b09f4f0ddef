//! Divisions that a condition guards. Compilers take them out of the condition: no device may mind.

use gridwright::prelude::*;

/// A loop whose division is the same in each turn, and isn't made where the divisor is zero.
#[inline]
fn sum_of_guarded(i: usize, x: &[u32]) -> u32 {
    let divisor = x[i];
    let mut sum = 0_u32;
    for &v in x {
        if v % 3 == 1 && divisor != 0 {
            sum = sum.wrapping_add(v ^ (100_000 / divisor));
        }
    }
    sum
}

/// A loop with a signed remainder whose guard is about both numbers.
#[inline]
fn sum_of_guarded_remainders(i: usize, x: &[u32]) -> u32 {
    let divisor = x[i] as i32 - 5;
    let mut sum = 0_i32;
    for &v in x {
        let dividend = i32::MIN + v as i32 / 4;
        if let Some(rest) = dividend.checked_rem(divisor) {
            sum = sum.wrapping_add(rest);
        }
    }
    sum as u32
}

#[gpu_kernel]
fn guarded(t: Thread, x: &[u32], mut y: PerThread<[[u32; 2]]>) {
    if let Some(y) = y.get_mut(t) {
        *y = [sum_of_guarded(t.index(), x), sum_of_guarded_remainders(t.index(), x)];
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn a_division_that_no_thread_makes_with_zero_is_right() -> Result<(), gridwright::Error> {
    let device = crate::compare::device()?;
    let x: Vec<u32> = (0..100).map(|i| i % 10).collect();
    let mut y = vec![[0; 2]; x.len()];
    guarded::load(&device)?.run(&device, LaunchConfig::threads(x.len()), (&x, Out(&mut y)))?;
    for (i, y) in y.iter().enumerate() {
        assert_eq!(*y, [sum_of_guarded(i, &x), sum_of_guarded_remainders(i, &x)], "thread {i}");
    }
    Ok(())
}
