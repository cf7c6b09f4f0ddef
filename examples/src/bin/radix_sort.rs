//! `radixSort` of the CUDA samples: sorts numbers digit by digit, the lowest first, each time without changing the order of equal digits.
//!
//! For each digit, groups count theirs, one group scans the counts, digits before groups, and each element goes where the counts say:
//! behind the equal digits before it. That place is computed, so no type can promise that it is one thread's alone: elements go into an
//! `Atomic`, whose stores cost what others cost. Algorithm: N. Satish, M. Harris, M. Garland, "Designing efficient sorting algorithms
//! for manycore GPUs", 2009.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, scattered, up_to},
};

/// Threads in a workgroup, and elements that it counts.
const BLOCK: usize = 256;
/// The bits of a digit, and its values.
const BITS: usize = 4;
const DIGITS: usize = 1 << BITS;

/// A count for each digit, of sixteen bits.
type Counts = [u64; DIGITS / 4];

/// One of this digit; none of any if it isn't there.
#[inline(always)]
fn one(digit: Option<usize>) -> Counts {
    core::array::from_fn(|word| match digit {
        Some(digit) if digit / 4 == word => 1 << (digit % 4 * 16),
        _ => 0,
    })
}

#[inline(always)]
fn sum(a: Counts, b: Counts) -> Counts {
    core::array::from_fn(|word| a[word] + b[word])
}

#[inline(always)]
fn count_of(counts: &Counts, digit: usize) -> usize {
    // Each word in turn, as registers can't be indexed.
    let words = counts.iter().enumerate();
    let four: u64 = words.map(|(word, four)| if word == digit / 4 { *four } else { 0 }).sum();
    (four >> (digit % 4 * 16)) as usize & 0xffff
}

#[inline(always)]
fn digit(key: u32, shift: u32) -> usize {
    (key >> shift) as usize % DIGITS
}

/// How many elements of each digit a group has: a row of its own.
#[gpu_kernel(block = BLOCK)]
pub(crate) fn count(g: &Group, shift: u32, keys: &[u32], mut counts: PerGroup<[[u32; DIGITS]]>) {
    let mine = g.map((), |t, ()| one(keys.get(t.index()).map(|&key| digit(key, shift))));
    let counted = g.reduce(&mine, sum);
    g.each(counts.elements_mut().take(DIGITS), |t, count| *count = count_of(&counted, t.local().x) as u32);
}

/// Where each group's elements of each digit begin, all groups' of one digit side by side. One group scans all counts.
#[gpu_kernel(block = BLOCK, requires = groups > 0 && counts.len() == starts.len())]
pub(crate) fn scan(g: &Group, groups: usize, counts: &[u32], starts: Atomic<[u32]>) {
    let mut before = 0;
    let mut first = 0;
    while first < counts.len() {
        let mine = g.map((), |t, ()| {
            let (digit, group) = ((first + t.local().x) / groups, (first + t.local().x) % groups);
            counts.get(group * DIGITS + digit).copied().unwrap_or(0)
        });
        let with_mine = g.scan_inclusive(&mine, |a, b| a + b);
        g.each((&with_mine, &mine), |t, (with_mine, mine)| {
            if first + t.local().x < starts.len() {
                starts.set(t, first + t.local().x, before + with_mine - mine);
            }
        });
        before += g.broadcast(&with_mine, BLOCK - 1);
        first += BLOCK;
    }
}

/// Puts each element where its group's of its digit begin, behind those before it in the group.
#[gpu_kernel(block = BLOCK, requires = keys.len() == sorted.len())]
pub(crate) fn scatter(g: &Group, shift: u32, keys: &[u32], starts: &[u32], sorted: Atomic<[u32]>) {
    let mine = g.map((), |t, ()| one(keys.get(t.index()).map(|&key| digit(key, shift))));
    let before = g.scan_exclusive(&mine, [0; DIGITS / 4], sum);
    let (group, groups) = (g.index(), g.groups());
    g.each(&before, |t, before| {
        if let Some(&key) = keys.get(t.index()) {
            let digit = digit(key, shift);
            let place = starts[digit * groups + group] as usize + count_of(before, digit);
            sorted.set(t, place, key);
        }
    });
}

/// Sorts numbers and checks their order.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 1_000_000, value_parser = up_to::<{ 1 << 26 }>)]
    len: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("sort")?;
    let mut numbers: Vec<u32> = (0..).zip(scattered(len)).map(|(i, x): (u32, u32)| x ^ i >> 7).collect();

    let input = stream.upload(&numbers)?;
    let (mut keys, mut sorted) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let groups = len.div_ceil(BLOCK);
    let mut counts = stream.alloc_zeroed(groups * DIGITS)?;
    let mut starts = stream.alloc_zeroed(groups * DIGITS)?;
    let (count, scan, scatter) = (count::load(&device)?, scan::load(&device)?, scatter::load(&device)?);
    let config = LaunchConfig::threads(len);
    let timing = Timing::of(&stream, || {
        stream.copy(&input, &mut keys)?;
        for shift in (0..u32::BITS).step_by(BITS) {
            count.launch(&stream, config, (shift, &keys, &mut counts))?;
            scan.launch(&stream, LaunchConfig::grid(1, BLOCK), (groups, &counts, &mut starts))?;
            scatter.launch(&stream, config, (shift, &keys, &starts, &mut sorted))?;
            std::mem::swap(&mut keys, &mut sorted);
        }
        Ok(())
    })?;
    report.timed(format_args!("{len} numbers"), timing, "numbers", len)?;

    numbers.sort_unstable();
    report.equal("number", &stream.download(&keys)?, numbers)
}
