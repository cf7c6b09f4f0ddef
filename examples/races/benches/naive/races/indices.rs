//! Elements whose places were read.

use std::sync::atomic::{AtomicU32, Ordering};

use gridwright::prelude::*;
use rayon::prelude::*;

use super::naive::{Naive, bytes, equal, near, numbers, scrambled};
use crate::kernels::indices as kernels;

pub(crate) fn race(naive: &mut Naive<'_>) -> anyhow::Result<()> {
    let n = naive.size(1 << 20, 5000);
    let config = LaunchConfig::threads(n);
    tables(naive, n, config)?;
    gathers(naive, n, config)?;
    if naive.wants("histogram of u8") {
        let x = bytes(n);
        let on_device = naive.stream.upload(&x)?;
        let kernel = kernels::histogram::load(naive.device)?;
        naive.race(
            "histogram of u8",
            naive.stream.alloc_zeroed(256)?,
            equal,
            |stream, counts| kernel.launch(stream, config, (&on_device, counts)),
            |counts: &mut [u32]| {
                let shared: Vec<AtomicU32> = counts.iter().map(|&count| AtomicU32::new(count)).collect();
                x.par_iter().for_each(|&x| _ = shared[usize::from(x)].fetch_add(1, Ordering::Relaxed));
                counts.iter_mut().zip(shared).for_each(|(count, shared)| *count = shared.into_inner());
            },
        )?;
    }
    Ok(())
}

fn tables(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let x = bytes(n);
    let on_device = naive.stream.upload(&x)?;
    if naive.wants("table of u8") {
        let table: Vec<u8> = (0..=255).rev().collect();
        let table_on_device = naive.stream.upload(&table)?;
        let kernel = kernels::table_of_bytes::load(naive.device)?;
        naive.race(
            "table of u8",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&table_on_device, &on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, &x)| *y = table[x as usize]),
        )?;
    }
    if naive.wants("table of f32") {
        let table = numbers(256);
        let table_on_device = naive.stream.upload(&table)?;
        let kernel = kernels::table_of_floats::load(naive.device)?;
        naive.race(
            "table of f32",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, &table_on_device, y)),
            |y| y.par_iter_mut().zip(&x).for_each(|(y, &x)| *y = table[x as usize]),
        )?;
    }
    if naive.wants("interpolate in a table") {
        let (values, x) = (numbers(1000), numbers(n));
        let (values_on_device, on_device) = (naive.stream.upload(&values)?, naive.stream.upload(&x)?);
        let kernel = kernels::interpolate::load(naive.device)?;
        naive.race(
            "interpolate in a table",
            naive.stream.alloc_zeroed(n)?,
            near,
            |stream, y| kernel.launch(stream, config, (&values_on_device, &on_device, y)),
            |y| {
                y.par_iter_mut().zip(&x).for_each(|(y, x)| {
                    let place = x * (values.len() - 1) as f32;
                    let left = (place as usize).min(values.len() - 2);
                    let part = place - left as f32;
                    *y = values[left] * (1.0 - part) + values[left + 1] * part;
                });
            },
        )?;
    }
    Ok(())
}

fn gathers(naive: &mut Naive<'_>, n: usize, config: LaunchConfig) -> anyhow::Result<()> {
    let x = numbers(n);
    let on_device = naive.stream.upload(&x)?;
    let indices: Vec<u32> = (0..n).map(|i| scrambled(i) % n as u32).collect();
    let indices_on_device = naive.stream.upload(&indices)?;
    if naive.wants("gather of f32") {
        let kernel = kernels::gather::load(naive.device)?;
        naive.race(
            "gather of f32",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&indices_on_device, &on_device, y)),
            |y| y.par_iter_mut().zip(&indices).for_each(|(y, &i)| *y = x[i as usize]),
        )?;
    }
    if naive.wants("gather of f64, or zero") {
        let x: Vec<f64> = numbers(n / 2).iter().map(|&x| f64::from(x)).collect();
        let on_device = naive.stream.upload(&x)?;
        let kernel = kernels::gather_or::load(naive.device)?;
        naive.race(
            "gather of f64, or zero",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&indices_on_device, &on_device, y)),
            |y| {
                y.par_iter_mut()
                    .zip(&indices)
                    .for_each(|(y, &i)| *y = x.get(i as usize).copied().unwrap_or(0.0));
            },
        )?;
    }
    if naive.wants("scatter of f32") {
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&i| scrambled(i as usize));
        let order_on_device = naive.stream.upload_distinct(&order)?;
        let kernel = kernels::scatter::load(naive.device)?;
        naive.race(
            "scatter of f32",
            naive.stream.alloc_zeroed(n)?,
            equal,
            |stream, y| kernel.launch(stream, config, (&on_device, y.scattered(&order_on_device))),
            |y| {
                // Without unsafe code, plain stores of bits by atomics are what there is.
                let bits = f32s_as_atomics(y);
                order
                    .par_iter()
                    .zip(&x)
                    .for_each(|(&at, x)| bits[at as usize].store(x.to_bits(), Ordering::Relaxed));
            },
        )?;
    }
    Ok(())
}

fn f32s_as_atomics(y: &mut [f32]) -> &[AtomicU32] {
    // SAFETY: both have the same size and alignment, any bits are valid for both, and the slice is borrowed exclusively.
    unsafe { std::slice::from_raw_parts(y.as_mut_ptr().cast(), y.len()) }
}
