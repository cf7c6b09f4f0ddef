//! Casts in a kernel's body: on the CPU the library makes integers of floats, and leaves other casts alone.

#![allow(clippy::unnecessary_cast, reason = "a literal's cast is one of those that stay as they are")]

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open};

#[gpu_kernel]
fn casts_of_floats(t: Thread, x: &[f32], mut y: PerThread<[[i64; 6]]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = of_each(x as u8, x as i8, x as u16, x as i16, x as u32, x as i32);
    }
}

#[gpu_kernel]
fn casts_of_doubles(t: Thread, x: &[f64], mut y: PerThread<[[i64; 6]]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        *y = of_each(x as u8, x as i8, x as u16, x as i16, x as u32, x as i32);
    }
}

/// Vectors of bytes, and a rest.
#[gpu_kernel]
fn bytes_of_floats(t: Thread, x: &[f32], mut y: PerThread<[u8]>) {
    if let Some(y) = y.get_mut(t) {
        *y = (x[t.index()] * 0.5 + 0.25) as u8;
    }
}

enum Sign {
    Plus = 1,
    Minus = -1,
}

/// What isn't a float: integers, truth, characters and variants.
#[gpu_kernel]
fn other_casts(t: Thread, x: &[u64], mut y: PerThread<[[i64; 6]]>) {
    const SEVEN: usize = 0x107;
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        let sign = if x.is_multiple_of(2) { Sign::Plus } else { Sign::Minus };
        let digits = [0_i64; SEVEN as u8 as usize];
        let letter = if x > 300 { 'ä' } else { 'z' };
        *y = [
            i64::from(x as u8),
            i64::from(x as i64 as i32),
            i64::from((x > 300) as u16),
            i64::from(letter as u32),
            i64::from(sign as i8),
            i64::from(-1 as i16) + digits.len() as i64,
        ];
    }
}

fn of_each(a: u8, b: i8, c: u16, d: i16, e: u32, f: i32) -> [i64; 6] {
    [a.into(), b.into(), c.into(), d.into(), e.into(), f.into()]
}

/// Numbers of all sizes, with those beside the bounds of each integer.
#[host_only]
fn floats() -> Vec<f32> {
    let edges = [7, 8, 15, 16, 31, 32].map(|power| 2_f32.powi(power));
    let beside =
        edges.iter().flat_map(|&edge| [edge.next_down(), edge, edge.next_up(), edge - 1.0, edge + 0.5]);
    let special = [0.0, 0.5, 0.99, 1.0, 1.5, f32::MAX, f32::INFINITY, f32::NAN];
    let mut floats: Vec<f32> = beside.chain(special).flat_map(|x| [x, -x]).collect();
    floats.extend(
        (0..999_u32).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9))).filter(|x| !x.is_subnormal()),
    );
    floats
}

#[test]
fn floats_saturate_as_the_language_says() -> Result {
    let (device, stream) = open()?;
    let host = floats();
    let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed::<[i64; 6]>(host.len())?);
    let config = LaunchConfig::threads(host.len());
    casts_of_floats::load(&device)?.launch(&stream, config, (&x, &mut y))?;
    for (x, y) in host.iter().zip(stream.download(&y)?) {
        let x = *x;
        assert_eq!(y, of_each(x as u8, x as i8, x as u16, x as i16, x as u32, x as i32), "{x:e}");
    }
    let mut bytes = stream.alloc_zeroed(host.len())?;
    bytes_of_floats::load(&device)?.launch(&stream, config, (&x, &mut bytes))?;
    let expected: Vec<u8> = host.iter().map(|x| (x * 0.5 + 0.25) as u8).collect();
    assert_eq!(stream.download(&bytes)?, expected);
    Ok(())
}

#[test]
fn doubles_saturate_as_the_language_says() -> Result {
    let (device, stream) = open()?;
    let near = |x: f32| [f64::from(x), f64::from(x).next_down(), f64::from(x).next_up()];
    let host: Vec<f64> = floats().into_iter().flat_map(near).filter(|x| !x.is_subnormal()).collect();
    let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed::<[i64; 6]>(host.len())?);
    casts_of_doubles::load(&device)?.launch(&stream, LaunchConfig::threads(host.len()), (&x, &mut y))?;
    for (x, y) in host.iter().zip(stream.download(&y)?) {
        let x = *x;
        assert_eq!(y, of_each(x as u8, x as i8, x as u16, x as i16, x as u32, x as i32), "{x:e}");
    }
    Ok(())
}

#[test]
fn other_values_are_cast_as_the_language_says() -> Result {
    let (device, stream) = open()?;
    let host = [0, 1, 255, 256, 300, 301, 0x1_8000_0000, u64::MAX - 1];
    let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed::<[i64; 6]>(host.len())?);
    other_casts::load(&device)?.launch(&stream, LaunchConfig::threads(host.len()), (&x, &mut y))?;
    for (x, y) in host.into_iter().zip(stream.download(&y)?) {
        let letter = if x > 300 { 'ä' } else { 'z' };
        let sign = if x.is_multiple_of(2) { 1 } else { -1 };
        let expected =
            [i64::from(x as u8), i64::from(x as i32), i64::from(x > 300), i64::from(letter as u32), sign, 6];
        assert_eq!(y, expected, "{x}");
    }
    Ok(())
}
