//! What the compiler is told: unrolling, branches, facts, products and sums that aren't fused, code for GPUs only. And what kernels assert.

use gridwright::hint::{cold_path, likely, unlikely};
use gridwright::numbers::{F16, unfused_mul};
use gridwright::prelude::*;
use gridwright::{device_only, unroll};

/// A body that LLVM wouldn't write out 40 times by itself.
#[gpu_kernel(requires = x.len() == y.len())]
fn unrolled(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    let Some(y) = y.get_mut(t) else { return };
    let mut sum = x[t.index()];
    unroll!(for i in 0..40 {
        sum = (sum.sqrt() + i as f32) / (sum * sum + 2.0);
    });
    *y = sum;
}

/// Each way to leave a loop, by numbers and by copies of several turns: the indices at which the body ended.
#[gpu_kernel(requires = y.len() >= 1)]
fn ways_out(t: Thread, n: u32, skipped: u32, last: u32, mut y: PerThread<[[u32; 4]]>) {
    let mut sums = [0; 4];
    unroll!(for i in -2..=20_i32 {
        if i == skipped as i32 {
            continue;
        }
        if i == last as i32 {
            break;
        }
        for j in 0..5 {
            if j == 3 {
                break;
            }
            sums[0] += (i + 2) as u32;
        }
    });
    unroll!(4; for i in 0..n {
        if i == skipped {
            continue;
        }
        if i == last {
            break;
        }
        sums[1] += i;
    });
    unroll!(8; 'rows: for i in 2..n {
        for j in 0..i {
            if j == skipped {
                continue 'rows;
            }
            if i == last {
                break 'rows;
            }
        }
        sums[2] += i;
    });
    unroll!(3; for _ in 0..7_usize {
        sums[3] += 1;
    });
    unroll!(for _ in 5..2 {
        sums[3] += 1000;
    });
    if let Some(y) = y.get_mut(t) {
        *y = sums;
    }
}

/// Sums of four neighbours, of a slice whose length isn't known.
#[gpu_kernel]
fn by_four(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    let Some(y) = y.get_mut(t) else { return };
    let mut sum = 0.0;
    unroll!(4; for i in 0..x.len() {
        sum += x[i];
    });
    *y = sum;
}

/// Branches of each likelihood.
#[gpu_kernel(requires = x.len() == y.len())]
fn branches(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    let Some(y) = y.get_mut(t) else { return };
    let x = x[t.index()];
    *y = if likely(x < 100) {
        x + 1
    } else if unlikely(x == 1000) {
        7
    } else {
        cold_path();
        x * 2
    };
}

/// Without a bounds check.
#[gpu_kernel]
fn assumed(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    let Some(y) = y.get_mut(t) else { return };
    // SAFETY: the test launches no more threads than elements.
    unsafe { core::hint::assert_unchecked(t.index() < x.len()) };
    *y = x[t.index()];
}

/// What a fused instruction rounds once, by itself and fused where the device does.
#[gpu_kernel(requires = a.len() == out.len() && b.len() == out.len() && c.len() == out.len())]
fn products(
    t: Thread,
    a: &[f32],
    b: &[f32],
    c: &[f64],
    mut out: PerThread<[f32]>,
    mut wide: PerThread<[f64]>,
) {
    let i = t.index();
    if let (Some(out), Some(wide)) = (out.get_mut(t), wide.get_mut(t)) {
        *out = unfused_mul(a[i], b[i]) - 1.0;
        *wide = unfused_mul(c[i], c[i]) + c[i];
    }
}

/// Products and sums that stay two operations: by operators, in a function, by turns of a loop, of each kind of float.
#[gpu_kernel(
    fp_contract = off,
    requires = a.len() == out.len() && b.len() == out.len() && c.len() == out.len() && h.len() == out.len()
)]
fn uncontracted(
    t: Thread,
    a: &[f32],
    b: &[f32],
    c: &[f64],
    h: &[F16],
    mut out: PerThread<[[f32; 2]]>,
    mut wide: PerThread<[f64]>,
    mut half: PerThread<[F16]>,
) {
    let i = t.index();
    if let (Some(out), Some(wide), Some(half)) = (out.get_mut(t), wide.get_mut(t), half.get_mut(t)) {
        *out = [a[i] * b[i] - 1.0, polynomial(a[i])];
        *wide = c[i] * c[i] + c[i];
        *half = h[i] * h[i] - h[i];
    }
}

/// Products and sums that may be contracted, as is usual.
#[gpu_kernel(fp_contract = on, requires = a.len() == out.len())]
fn contracted(t: Thread, a: &[f32], mut out: PerThread<[f32]>) {
    if let Some(out) = out.get_mut(t) {
        *out = polynomial(a[t.index()]);
    }
}

fn polynomial(x: f32) -> f32 {
    [0.3, -1.7, 2.9, -0.01].iter().fold(1.0, |sum, factor| sum * x + factor)
}

/// 1 on a GPU, 0 on the CPU.
#[gpu_kernel]
fn where_am_i(t: Thread, mut out: PerThread<[u32]>) {
    #[allow(unused_mut)]
    let mut is_gpu = 0;
    device_only! {
        is_gpu += 1;
    }
    if let Some(out) = out.get_mut(t) {
        *out = is_gpu;
    }
}

#[cfg(not(gridwright_device))]
const ASSERT_LINE: u32 = line!() + 6;

/// Asserts something of its elements.
#[gpu_kernel]
fn asserted(t: Thread, limit: u32, x: &[u32]) {
    if let Some(&x) = x.get(t.index()) {
        assert!(x < limit, "an element is too large"); // the line that panics
        assert_ne!(x, 50, "an element is the worst");
        debug_assert!(x != 51, "only where debug assertions are on");
    }
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::{DeviceKind, Error};

    use super::*;
    use crate::device;
    use crate::ptx::{entry, uncontracted_entry};

    #[test]
    fn unrolled_loops_do_what_loops_do() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x = [0.5_f32, 2.0, 100.0];
        let (on_device, mut y) = (stream.upload(&x)?, stream.alloc_zeroed(3)?);
        unrolled::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&on_device, &mut y))?;
        for (y, x) in stream.download(&y)?.into_iter().zip(x) {
            let expected = (0..40).fold(x, |sum, i| (sum.sqrt() + i as f32) / (sum * sum + 2.0));
            assert!((y - expected).abs() <= 1e-3 * expected.abs(), "{y} for {expected}");
        }
        let kernel = ways_out::load(&device)?;
        let mut sums = stream.alloc_zeroed::<u32>(4)?;
        for (n, skipped, last) in [(10, 3, 7), (0, 0, 0), (17, 100, 100), (4, 1, 100), (16, 5, 15), (3, 0, 2)]
        {
            kernel.launch(&stream, LaunchConfig::threads(1), (n, skipped, last, &mut sums))?;
            let mut expected = [0, 0, 0, 7];
            for i in -2..=20_i32 {
                if i == skipped as i32 {
                    continue;
                }
                if i == last as i32 {
                    break;
                }
                expected[0] += 3 * (i + 2) as u32;
            }
            expected[1] = (0..n.min(last)).filter(|&i| i != skipped).sum();
            expected[2] = (2..n.min(last)).filter(|&i| i <= skipped).sum();
            assert_eq!(stream.download(&sums)?, expected, "{n} {skipped} {last}");
        }
        let kernel = by_four::load(&device)?;
        for len in [0, 3, 4, 9] {
            let x: Vec<f32> = (0..len).map(|i| i as f32).collect();
            let (x, mut y) = (stream.upload(&x)?, stream.alloc_zeroed(1)?);
            kernel.launch(&stream, LaunchConfig::threads(1), (&x, &mut y))?;
            assert_eq!(stream.download(&y)?, [(0..len).sum::<usize>() as f32]);
        }
        Ok(())
    }

    #[test]
    fn unrolled_loops_have_no_branch_in_ptx() {
        let (Some(unrolled), Some(by_four)) = (entry("unrolled"), entry("by_four")) else { return };
        assert!(unrolled.matches("sqrt.rn.f32").count() == 40, "{unrolled}");
        assert!(
            by_four.matches("add.f32").count() >= 4 || by_four.matches("add.rn.f32").count() >= 4,
            "{by_four}"
        );
    }

    #[test]
    fn likely_or_not_the_result_is_the_same() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x = stream.upload(&[1, 99, 100, 1000])?;
        let mut y = stream.alloc_zeroed(4)?;
        branches::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&x, &mut y))?;
        assert_eq!(stream.download(&y)?, [2, 100, 200, 7]);
        assumed::load(&device)?.launch(&stream, LaunchConfig::threads(4), (&x, &mut y))?;
        assert_eq!(stream.download(&y)?, [1, 99, 100, 1000]);
        if let Some(assumed) = entry("assumed") {
            assert!(!assumed.contains("call"), "a bounds check: {assumed}");
        }
        Ok(())
    }

    #[test]
    fn products_are_rounded_by_themselves() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let a: Vec<f32> = (0..200).map(|i| 1.0 + i as f32 * 1e-4).collect();
        let b: Vec<f32> = a.iter().map(|a| a.recip()).collect();
        let c: Vec<f64> = (0..200).map(|i| 1.0 + f64::from(i) / 3.0).collect();
        let (mut out, mut wide) = (stream.alloc_zeroed(200)?, stream.alloc_zeroed(200)?);
        let arguments = (&stream.upload(&a)?, &stream.upload(&b)?, &stream.upload(&c)?, &mut out, &mut wide);
        products::load(&device)?.launch(&stream, LaunchConfig::threads(200), arguments)?;
        let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a * b - 1.0).collect();
        // There is something to tell apart.
        let fused = a.iter().zip(&b).map(|(a, b)| a.mul_add(*b, -1.0));
        assert!(fused.zip(&expected).any(|(fused, expected)| fused != *expected));
        assert_eq!(stream.download(&out)?, expected);
        assert_eq!(stream.download(&wide)?, c.iter().map(|c| c * c + c).collect::<Vec<f64>>());
        Ok(())
    }

    #[test]
    fn products_and_sums_stay_apart_in_a_kernel_that_says_so() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let a: Vec<f32> = (0..200).map(|i| 1.0 + i as f32 * 1e-4).collect();
        let b: Vec<f32> = a.iter().map(|a| a.recip()).collect();
        let c: Vec<f64> = (0..200).map(|i| 1.0 + f64::from(i) / 3.0).collect();
        let h: Vec<F16> = a.iter().map(|&a| F16::from_f32(a * 3.0)).collect();
        let on_device = stream.upload(&a)?;
        let (mut out, mut wide) = (stream.alloc_zeroed::<f32>(400)?, stream.alloc_zeroed(200)?);
        let mut half = stream.alloc_zeroed(200)?;
        let inputs = (stream.upload(&b)?, stream.upload(&c)?, stream.upload(&h)?);
        let arguments = (&on_device, &inputs.0, &inputs.1, &inputs.2, &mut out, &mut wide, &mut half);
        uncontracted::load(&device)?.launch(&stream, LaunchConfig::threads(200), arguments)?;
        let expected: Vec<f32> = a.iter().zip(&b).flat_map(|(&a, b)| [a * b - 1.0, polynomial(a)]).collect();
        assert_eq!(stream.download(&out)?, expected);
        assert_eq!(stream.download(&wide)?, c.iter().map(|c| c * c + c).collect::<Vec<f64>>());
        let apart = |h: &F16| F16::from_f32((*h * *h).to_f32() - h.to_f32());
        let bits = |halves: Vec<F16>| halves.into_iter().map(F16::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(stream.download(&half)?), bits(h.iter().map(apart).collect()));

        // The kernel beside it, in another image, does what its device does.
        let mut usual = stream.alloc_zeroed(200)?;
        contracted::load(&device)?.launch(&stream, LaunchConfig::threads(200), (&on_device, &mut usual))?;
        let usual = stream.download(&usual)?;
        let differ = usual.iter().zip(&a).filter(|(usual, a)| **usual != polynomial(**a)).count();
        let is_nvidia = !matches!(device.kind(), DeviceKind::Cpu | DeviceKind::Hip);
        assert_eq!(differ > 0, is_nvidia, "{differ} of 200");
        Ok(())
    }

    #[test]
    fn a_kernel_without_contraction_has_no_fused_operation() {
        let (Some(apart), Some(usual)) = (uncontracted_entry("uncontracted"), entry("contracted")) else {
            return;
        };
        assert!(!apart.contains("fma.") && apart.contains("mul.rn.f32"), "{apart}");
        assert!(usual.contains("fma.rn.f32") && !usual.contains("mul.rn.f32"), "{usual}");
    }

    #[test]
    fn code_for_gpus_only() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let mut out = stream.alloc_zeroed(2)?;
        where_am_i::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut out,))?;
        let expected = u32::from(device.kind() != DeviceKind::Cpu);
        assert_eq!(stream.download(&out)?, [expected; 2]);
        Ok(())
    }

    #[test]
    fn assertions_arrive_with_their_message_file_and_line() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = asserted::load(&device)?;
        let panic_of = |limit: u32, values: &[u32]| -> Result<Option<(String, String, u32)>, Error> {
            let x = stream.upload(values)?;
            kernel.launch(&stream, LaunchConfig::threads(values.len()), (limit, &x))?;
            match stream.synchronize() {
                Err(Error::KernelPanic { message, file, line, .. }) => {
                    Ok(Some((message.to_string(), file.to_string(), line)))
                }
                other => other.map(|()| None),
            }
        };
        assert_eq!(panic_of(100, &[1, 2, 3])?, None);
        let (message, file, line) = panic_of(100, &[1, 100, 3])?.expect("a panic");
        assert_eq!((message.as_str(), line), ("an element is too large", ASSERT_LINE));
        assert!(file.ends_with("hints.rs"), "{file}");
        let (_, _, line) = panic_of(100, &[1, 50])?.expect("a panic");
        assert_eq!(line, ASSERT_LINE + 1);
        // Images are compiled without debug assertions.
        let expected = device.kind() == DeviceKind::Cpu && cfg!(debug_assertions);
        assert_eq!(panic_of(100, &[51])?.is_some(), expected);
        Ok(())
    }
}
