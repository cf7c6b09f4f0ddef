//! `reduction` of the CUDA samples: a sum in eight steps, each meant to be faster than the one before on a GPU.
//!
//! Each kernel makes one partial sum a workgroup, and is launched again over the partial sums until one is left. The
//! first three differ only in which threads of a group add what: a tree in workgroup memory, whose threads first are
//! scattered, then side by side but far apart in memory, then side by side in both. The others have fewer groups
//! and barriers.

use gridwright::prelude::*;
#[host_only]
use {
    crate::{Sample, Timing, check, up_to},
    clap::Parser,
    gridwright::Error,
};

/// Threads in a workgroup.
const BLOCK: usize = 256;

// ANCHOR: interleaved
/// 1. Interleaved: every other thread adds its neighbour's sum to its own, then every fourth, … Most threads of a warp
///    wait for the few that add.
#[gpu_kernel(block = BLOCK)]
pub fn interleaved(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32; BLOCK]>) {
    g.load(&mut scratch, x, g.origin().x);
    let mut distance = 1;
    while distance < BLOCK {
        // No phase may both write a slot and let others read it: first all read, then all write.
        let others = g.map(scratch.shared(), |t, scratch| {
            let i = t.local().x;
            if i.is_multiple_of(2 * distance) { scratch[i + distance] } else { 0.0 }
        });
        g.each((scratch.elements_mut(), &others), |_, (sum, other)| *sum += other);
        distance *= 2;
    }
    let sum = g.read(&scratch, 0);
    sums.set(g, sum);
}
// ANCHOR_END: interleaved

// ANCHOR: strided
/// 2. Strided: the first half of the threads add, then the first quarter, … Whole warps are done early, but a warp's
///    elements lie ever farther apart: in the same memory bank.
#[gpu_kernel(block = BLOCK, requires = scratch.len() == g.len())]
pub fn strided(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32]>) {
    g.load(&mut scratch, x, g.origin().x);
    halve::<2, _>(g, &mut scratch);
    halve::<4, _>(g, &mut scratch);
    halve::<8, _>(g, &mut scratch);
    halve::<16, _>(g, &mut scratch);
    halve::<32, _>(g, &mut scratch);
    halve::<64, _>(g, &mut scratch);
    halve::<128, _>(g, &mut scratch);
    halve::<256, _>(g, &mut scratch);
    let sum = g.read(&scratch, 0);
    sums.set(g, sum);
}
// ANCHOR_END: strided

// ANCHOR: halve
/// Each thread takes `N` neighbours, and adds the middle one to the first.
#[inline(always)]
fn halve<const N: usize, S: GroupShape>(g: &Group<'_, S>, scratch: &mut Workgroup<'_, [f32]>) {
    let chunks = scratch.chunks::<N>();
    g.each(chunks.elements_mut().take(BLOCK / N), |_, chunk| chunk[0] += chunk[N / 2]);
}
// ANCHOR_END: halve

// ANCHOR: sequential
/// 3. Sequential: each thread adds an element of the upper half to one of the lower. Neighbours touch neighbours.
#[gpu_kernel(block = BLOCK)]
pub fn sequential(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32; BLOCK]>) {
    g.load(&mut scratch, x, g.origin().x);
    tree(g, &mut scratch, 1);
    let sum = g.read(&scratch, 0);
    sums.set(g, sum);
}
// ANCHOR_END: sequential

// ANCHOR: tree
/// Adds upper halves to lower halves until `left` sums are left.
#[inline(always)]
fn tree<S: GroupShape>(g: &Group<'_, S>, scratch: &mut Workgroup<'_, [f32; BLOCK]>, left: usize) {
    let mut half = BLOCK / 2;
    while half >= left {
        let (low, high) = scratch.flat().split_at_mut(half);
        g.each((low.elements_mut().take(half), high.elements().take(half)), |_, (low, high)| *low += *high);
        half /= 2;
    }
}
// ANCHOR_END: tree

/// 4. First add: each thread adds two elements on their way to workgroup memory, so that half as many groups do.
#[gpu_kernel(block = BLOCK)]
pub fn first_add(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32; BLOCK]>) {
    load_two(g, x, &mut scratch);
    tree(g, &mut scratch, 1);
    let sum = g.read(&scratch, 0);
    sums.set(g, sum);
}

// ANCHOR: load_two
/// Brings the sums of two elements a thread, as many apart as there are threads.
#[inline(always)]
fn load_two<S: GroupShape>(g: &Group<'_, S>, x: &[f32], scratch: &mut Workgroup<'_, [f32; BLOCK]>) {
    let first = 2 * g.origin().x;
    g.each(
        (scratch.elements_mut(), x.elements_from(first), x.elements_from(first + BLOCK)),
        |_, (slot, near, far)| {
            *slot = near.copied().unwrap_or(0.0) + far.copied().unwrap_or(0.0);
        },
    );
}
// ANCHOR_END: load_two

// ANCHOR: shuffles
/// 5. Warp shuffles: the last 32 sums go from register to register, without memory and barriers.
#[gpu_kernel(block = BLOCK)]
pub fn shuffles(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32; BLOCK]>) {
    load_two(g, x, &mut scratch);
    tree(g, &mut scratch, 32);
    // The group's first 32 threads are of one warp on every device.
    let mut sum = g.map(scratch.shared(), |t, scratch| {
        let i = t.local().x;
        if i < 32 { scratch[i] } else { 0.0 }
    });
    let mut distance = 16;
    while distance > 0 {
        let other = g.shuffle_down(&sum, distance);
        g.each((&mut sum, &other), |_, (sum, other)| *sum += other);
        distance /= 2;
    }
    let sum = g.broadcast(&sum, 0);
    sums.set(g, sum);
}
// ANCHOR_END: shuffles

/// 6. Several elements a thread: few groups, each of which goes through its share of the elements.
#[gpu_kernel(block = BLOCK)]
pub fn several(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut scratch: Workgroup<[f32; BLOCK]>) {
    let mine = share(g, x, sums.len());
    g.each((scratch.elements_mut(), &mine), |_, (slot, mine)| *slot = *mine);
    tree(g, &mut scratch, 1);
    let sum = g.read(&scratch, 0);
    sums.set(g, sum);
}

// ANCHOR: share
/// Each thread's sum of its group's share, of which it reads the beginning and the middle at once:
/// of each as many neighbours as the group has threads, fetched before they are asked for.
#[inline(always)]
fn share<'k, S: GroupShape>(g: &Group<'k, S>, x: &[f32], groups: usize) -> Private<'k, f32> {
    let turns = x.len().div_ceil(groups.max(1)).div_ceil(2 * BLOCK);
    let half = turns * BLOCK;
    let mut first = g.index() * 2 * half;
    let mut sum = g.private(0.0);
    for _ in 0..turns {
        g.each((&mut sum, x.elements_from(first), x.elements_from(first + half)), |_, (sum, near, far)| {
            *sum += near.copied().unwrap_or(0.0) + far.copied().unwrap_or(0.0);
        });
        first += BLOCK;
    }
    sum
}
// ANCHOR_END: share

// ANCHOR: warps
/// 7. Warps: each adds up its own sums without waiting for the others, and leaves one.
#[gpu_kernel(block = BLOCK)]
pub fn warps(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>, mut of_warps: Workgroup<[f32; WARPS]>) {
    let mine = share(g, x, sums.len());
    g.each_warp((&mine, of_warps.warp_chunks_mut(1)), |w, (mine, mut sum)| {
        w.set(&mut sum, 0, w.reduce(mine, |a, b| a + b));
    });
    let sum = g.map(of_warps.shared(), |_, of_warps| of_warps.iter().sum::<f32>());
    sums.set(g, g.broadcast(&sum, 0));
}
// ANCHOR_END: warps

/// The most warps that a group has: with 32 threads each.
const WARPS: usize = BLOCK / 32;

// ANCHOR: collective
/// 8. The collective: what Gridwright makes of the warps and of the memory between them.
#[gpu_kernel(block = BLOCK)]
pub fn collective(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>) {
    let mine = share(g, x, sums.len());
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}
// ANCHOR_END: collective

/// Adds up a vector in several ways and checks each.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The number of elements.
    #[arg(long, default_value_t = 10_000_000, value_parser = up_to::<{ 1 << 28 }>)]
    len: usize,
}

/// Launches a kernel over elements, and gets their partial sums.
#[host_only]
type Launch<'l> = &'l dyn Fn(LaunchConfig, &Buffer<f32>, &mut Buffer<f32>) -> Result<(), Error>;

/// The program.
///
/// # Errors
/// Those of the device, and a result that is wrong.
#[host_only]
pub fn main() -> anyhow::Result<()> {
    let Sample { options: Options { len }, device, stream, report } = Sample::begin("1 interleaved")?;
    let x: Vec<f32> = (0..len).map(|i| (i * 7919 % 1000) as f32 / 1000.0).collect();
    let expected: f64 = x.iter().map(|&x| f64::from(x)).sum();

    let x = stream.upload(&x)?;
    // `groups` says how many groups add so many elements up.
    let measure = |name: &str, groups: &dyn Fn(usize) -> usize, launch: Launch<'_>| {
        let mut partial = vec![stream.alloc_zeroed(groups(len))?];
        while let Some(last) = partial.last().filter(|sums| sums.len() > 1) {
            partial.push(stream.alloc_zeroed(groups(last.len()))?);
        }
        let timing = Timing::of(&stream, || {
            let mut elements = &x;
            for sums in &mut partial {
                launch(LaunchConfig::grid(sums.len(), BLOCK), elements, sums)?;
                elements = sums;
            }
            Ok(())
        })?;
        report.row(name, format_args!("{timing:>10}  {:>12}", timing.bytes_per_second(4 * len)))?;
        let sum = stream.download(&partial[partial.len() - 1])?;
        check::close(&format!("{name}: sum"), &sum, [(expected, 1e-5 * expected.max(1.0))])
    };

    report.row("elements", len)?;
    let one_a_thread = |len: usize| len.div_ceil(BLOCK);
    let two_a_thread = |len: usize| len.div_ceil(2 * BLOCK);
    let several_a_thread = |len: usize| len.div_ceil(LEAST).clamp(1, MOST_GROUPS);

    let kernel = interleaved::load(&device)?;
    measure("1 interleaved", &one_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = strided::load(&device)?;
    measure("2 strided", &one_a_thread, &|config, x, sums| {
        kernel.launch(&stream, config.workgroup::<f32>(BLOCK), (x, sums))
    })?;
    let kernel = sequential::load(&device)?;
    measure("3 sequential", &one_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = first_add::load(&device)?;
    measure("4 first add", &two_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = shuffles::load(&device)?;
    measure("5 shuffles", &two_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = several::load(&device)?;
    measure("6 several", &several_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = warps::load(&device)?;
    measure("7 warps", &several_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    let kernel = collective::load(&device)?;
    measure("8 collective", &several_a_thread, &|config, x, sums| kernel.launch(&stream, config, (x, sums)))?;
    report.row("checked", "every sum")
}

/// Elements of a group whose threads take several, where there are as many.
#[host_only]
const LEAST: usize = 32 * BLOCK;

/// Workgroups of a launch whose threads take several elements: enough for any GPU.
#[host_only]
const MOST_GROUPS: usize = 1024;
