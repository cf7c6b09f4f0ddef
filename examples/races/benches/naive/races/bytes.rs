//! Elements for elements.

use std::hint::black_box;

use gridwright::math;
use gridwright::prelude::*;
use rayon::prelude::*;

use super::naive::{Naive, bytes, equal, near, numbers};
use crate::kernels::bytes as kernels;

pub(crate) fn race(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    let n = naive.size(1 << 20, 5000);
    let config = LaunchConfig::threads(n);
    floats(naive, n, config)?;
    quantise(naive, n, config)?;
    pictures(naive, n, config)?;
    if naive.wants("mix of i16") {
        let a: Vec<i16> = numbers(n).iter().map(|x| ((x - 0.5) * 65535.0) as i16).collect();
        let b: Vec<i16> = a.iter().rev().copied().collect();
        let (on_device, and_b) = (naive.stream.upload(&a)?, naive.stream.upload(&b)?);
        let kernel = kernels::mix::load(naive.device)?;
        naive.race(
            "mix of i16",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, &and_b, y)),
            |y| {
                y.par_iter_mut().zip(&a).zip(&b).for_each(|((y, a), b)| *y = a.saturating_add(*b));
            },
        )?;
    }
    Ok(())
}

fn floats(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let x = numbers(n);
    let on_device = naive.stream.upload(&x)?;
    if naive.wants("saxpy") {
        // Known when it runs, as a kernel's argument is.
        let a = black_box(0.001);
        let kernel = kernels::saxpy::load(naive.device)?;
        naive.race(
            "saxpy",
            naive.stream.upload(&x)?,
            near,
            |stream, y| kernel.launch(stream, config, (a, &on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y += a * x),
        )?;
    }
    if naive.wants("sigmoid") {
        let kernel = kernels::sigmoid::load(naive.device)?;
        naive.race(
            "sigmoid",
            naive.stream.alloc_zeroed(n)?,
            near,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = 1.0 / (1.0 + math::exp(-x))),
        )?;
    }
    Ok(())
}

fn quantise(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let x: Vec<f32> = numbers(n).iter().map(|x| 2.0 * x - 1.0).collect();
    let on_device = naive.stream.upload(&x)?;
    if naive.wants("quantise f32 to u8") {
        let kernel = kernels::quantise_to_bytes::load(naive.device)?;
        naive.race(
            "quantise f32 to u8",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (127.5, &on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = (x * 127.5 + 127.5) as u8),
        )?;
    }
    if naive.wants("quantise f32 to i16") {
        let kernel = kernels::quantise_to_samples::load(naive.device)?;
        naive.race(
            "quantise f32 to i16",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = (x * 32767.0) as i16),
        )?;
    }
    if naive.wants("round f32 to i32") {
        let kernel = kernels::round_to_integers::load(naive.device)?;
        naive.race(
            "round f32 to i32",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = (x * 100.0).round_ties_even() as i32),
        )?;
    }
    Ok(())
}

fn pictures(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let x = bytes(n);
    let on_device = naive.stream.upload(&x)?;
    if naive.wants("u8 to f32") {
        let kernel = kernels::bytes_to_floats::load(naive.device)?;
        naive.race(
            "u8 to f32",
            naive.stream.alloc_zeroed(n)?,
            near,
            |stream, y| kernel.launch(stream, config, (&on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = f32::from(*x) / 255.0),
        )?;
    }
    if naive.wants("grey of RGB") {
        let pixels: Vec<[u8; 3]> = bytes(3 * n).as_chunks().0.to_vec();
        let on_device = naive.stream.upload(&pixels)?;
        let kernel = kernels::grey::load(naive.device)?;
        naive.race(
            "grey of RGB",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, grey| kernel.launch(stream, config, (&on_device, grey)),
            |grey| {
                grey.par_iter_mut().zip(&pixels).for_each(|(grey, &[r, g, b])| {
                    *grey = ((77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b)) >> 8) as u8;
                });
            },
        )?;
    }
    if naive.wants("blend of u8") {
        let kernel = kernels::blend::load(naive.device)?;
        naive.race(
            "blend of u8",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, under| kernel.launch(stream, config, (77, &on_device, under)),
            |under| {
                under.par_iter_mut().zip(&x).for_each(|(under, over)| {
                    *under = ((u16::from(*over) * 77 + u16::from(*under) * (255 - 77)) / 255) as u8;
                });
            },
        )?;
    }
    if naive.wants("threshold of u8") {
        let kernel = kernels::threshold::load(naive.device)?;
        naive.race(
            "threshold of u8",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (100, &on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, x)| *y = if *x > 100 { 255 } else { 0 }),
        )?;
    }
    Ok(())
}
