//! Values for all threads that are large or widely aligned, and kernels with their lifetimes written out.

use core::ops::Mul;

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open};

/// As CUDA's `double4_32a`.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C, align(32))]
struct Double4 {
    values: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C, align(64))]
struct Line {
    values: [u32; 16],
}

#[gpu_kernel]
fn scale_by_struct(t: Thread, by: Double4, lines: &[Line], line: Line, mut x: PerThread<[f64]>) {
    if let Some(x) = x.get_mut(t) {
        let i = t.index();
        *x = *x * by.values[i % 4]
            + f64::from(lines[i % lines.len()].values[i % 16])
            + f64::from(line.values[i % 16]);
    }
}

#[test]
fn structs_may_be_aligned_to_a_cache_line() -> Result {
    let (device, stream) = open()?;
    let line = Line { values: core::array::from_fn(|i| i as u32 * 1000) };
    let more = Line { values: core::array::from_fn(|i| i as u32) };
    let by = Double4 { values: [1.0, 10.0, 100.0, 1000.0] };
    let mut x = stream.upload(&[1.0, 2.0, 3.0, 4.0, 5.0])?;
    let lines = stream.upload(&[line, more])?;
    scale_by_struct::load(&device)?.launch(&stream, LaunchConfig::threads(5), (by, &lines, more, &mut x))?;
    assert_eq!(stream.download(&x)?, [1.0, 22.0, 2302.0, 4006.0, 4009.0]);
    Ok(())
}

#[gpu_kernel]
fn sums(t: Thread, by: u128, signed: i128, x: &[u128], mut y: PerThread<[i128]>) {
    if let Some(y) = y.get_mut(t) {
        *y = (x[t.index()].wrapping_mul(by) as i128).wrapping_add(signed);
    }
}

#[test]
fn integers_of_128_bits_are_values_and_elements() -> Result {
    let (device, stream) = open()?;
    let host: Vec<u128> = (0..40).map(|i| 1 << (3 * i) | 5).collect();
    let (by, signed) = (3 << 70 | 7, -(1 << 100));
    let x = stream.upload(&host)?;
    let mut y = stream.alloc_zeroed::<i128>(host.len())?;
    sums::load(&device)?.launch(&stream, LaunchConfig::threads(host.len()), (by, signed, &x, &mut y))?;
    let right: Vec<i128> = host.iter().map(|x| (x.wrapping_mul(by) as i128).wrapping_add(signed)).collect();
    assert_eq!(stream.download(&y)?, right);
    Ok(())
}

#[gpu_kernel]
fn add<'a>(t: Thread<'a>, x: &'a [f32], mut y: PerThread<'a, [f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()];
    }
}

#[gpu_kernel]
fn pick<'k, 'x: 'k>(t: Thread<'k>, x: &'x [u32], z: &[u32], mut y: PerThread<'_, [u32]>) {
    fn longer<'s>(a: &'s [u32], b: &'s [u32]) -> &'s [u32] {
        if a.len() > b.len() { a } else { b }
    }
    if let Some(y) = y.get_mut(t) {
        *y = longer(x, z)[t.index()];
    }
}

#[test]
fn lifetimes_may_be_written_out() -> Result {
    let (device, stream) = open()?;
    let x = stream.upload(&[3.0_f32, 4.0])?;
    let mut y = stream.upload(&[1.0_f32, 2.0])?;
    add::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [4.0, 6.0]);
    let (short, long) = (stream.upload(&[1_u32])?, stream.upload(&[2_u32, 3])?);
    let mut picked = stream.alloc_zeroed::<u32>(2)?;
    pick::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&short, &long, &mut picked))?;
    assert_eq!(stream.download(&picked)?, [2, 3]);
    Ok(())
}

/// A factor for all threads, which a phase captures.
#[gpu_kernel(instances(f32, u32))]
fn scale_in_groups<T: KernelArg + Mul<Output = T>>(g: &Group, by: T, factors: &[T], mut x: PerThread<[T]>) {
    g.each(x.elements_mut(), |t, x| {
        if let Some(x) = x {
            *x = *x * by * factors[t.index()];
        }
    });
}

#[test]
fn a_generic_phase_captures_values_and_slices() -> Result {
    let (device, stream) = open()?;
    let factors = stream.upload(&[1.0_f32, 2.0, 4.0])?;
    let mut x = stream.upload(&[1.0_f32, 2.0, 3.0])?;
    let kernel = scale_in_groups::<f32>::load(&device)?;
    kernel.launch(&stream, LaunchConfig::threads(3), (2.5, &factors, &mut x))?;
    assert_eq!(stream.download(&x)?, [2.5, 10.0, 30.0]);
    Ok(())
}

const NAME: &str = "a constant";

/// What goes panicking is the case of that number.
#[gpu_kernel]
fn panicking(t: Thread, case: u32, x: &[u32], mut y: PerThread<[u32]>) {
    let Some(y) = y.get_mut(t) else { return };
    let one = x[0];
    *y = match case {
        0 => *x.get(t.index() + 5).expect("a point for each thread"),
        1 => u32::from(u8::try_from(x[1]).expect("a byte")),
        2 => panic!("{NAME}"),
        3 => panic!("of {NAME} and no more"),
        4 => {
            assert_eq!(one, 2, "the first is two");
            1
        }
        5 => {
            assert_ne!(one, 1);
            1
        }
        6 => {
            assert!(one == 2, "{NAME}, {one}");
            1
        }
        7 => x.get(9).copied().expect(NAME),
        _ => unreachable!("no {} here", "ones"),
    };
}

#[test]
fn panics_of_gpus_have_the_texts_of_the_source() -> Result {
    let (device, stream) = open()?;
    let is_cpu = crate::setting::is_cpu(&device);
    let x = stream.upload(&[1_u32, 1000, 3, 4])?;
    let mut y = stream.alloc_zeroed::<u32>(1)?;
    let kernel = panicking::load(&device)?;
    let left_out = " (a GPU leaves values out)";
    let (same, different) = ("assertion `left == right` failed", "assertion `left != right` failed");
    let of_values =
        |text: &str, values: &str| if is_cpu { values.to_owned() } else { format!("{text}{left_out}") };
    let gaps = "\n  left: …\n right: …";
    for (case, message) in [
        (0, "a point for each thread".to_owned()),
        (
            1,
            of_values(
                "a byte: …",
                &format!("a byte: {:?}", u8::try_from(1000_u32).expect_err("it is too large")),
            ),
        ),
        (2, NAME.to_owned()),
        (3, format!("of {NAME} and no more")),
        (
            4,
            of_values(
                &format!("{same}: the first is two{gaps}"),
                &format!("{same}: the first is two\n  left: 1\n right: 2"),
            ),
        ),
        (5, of_values(&format!("{different}{gaps}"), &format!("{different}\n  left: 1\n right: 1"))),
        (6, of_values(&format!("{NAME}, …"), &format!("{NAME}, 1"))),
        (7, NAME.to_owned()),
        (8, "internal error: entered unreachable code: no ones here".to_owned()),
    ] {
        let launched = kernel.launch(&stream, LaunchConfig::threads(1), (case, &x, &mut y));
        let error = launched.map(|_| ()).and_then(|()| stream.synchronize()).expect_err("it panics");
        let gridwright::Error::KernelPanic { message: found, .. } = error else {
            panic!("case {case}: {error}")
        };
        assert_eq!(&*found, message, "case {case}");
    }
    Ok(())
}
