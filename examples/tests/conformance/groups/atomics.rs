//! Updates of global and of workgroup memory by all threads.

use gridwright::atomic::{AtomicInteger, AtomicValue};
use gridwright::group::ArrayElement;
use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, open, sizes};

const ORDERINGS: [Ordering; 5] =
    [Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];
const SCOPES: [Scope; 3] = [Scope::Workgroup, Scope::Device, Scope::System];

/// Element *i* of `out` takes the operation of number *i*, of all values.
#[gpu_kernel(instances(u32, i32, u64, i64))]
fn updates<T: AtomicInteger>(g: &Group, x: &[T], out: Atomic<[T]>) {
    g.each((), |t, ()| {
        let Some(&x) = x.get(t.index()) else { return };
        out.fetch_add(t, 0, x);
        out.fetch_sub(t, 1, x);
        out.fetch_min(t, 2, x);
        out.fetch_max(t, 3, x);
        out.fetch_and(t, 4, x);
        out.fetch_or(t, 5, x);
        out.fetch_xor(t, 6, x);
    });
}

/// Each operation of all values, each time in another order and scope.
#[gpu_kernel(instances(u32, i32, u64, i64))]
fn ordered_updates<T: AtomicInteger>(g: &Group, x: &[T], out: Atomic<[T]>) {
    g.each((), |t, ()| {
        let i = t.index();
        let Some(&x) = x.get(i) else { return };
        let (scope, ordering) = (SCOPES[i % 3], ORDERINGS[i % 5]);
        out.fetch_add_with(t, 0, x, scope, ordering);
        out.fetch_sub_with(t, 1, x, scope, ordering);
        out.fetch_min_with(t, 2, x, scope, ordering);
        out.fetch_max_with(t, 3, x, scope, ordering);
        out.fetch_and_with(t, 4, x, scope, ordering);
        out.fetch_or_with(t, 5, x, scope, ordering);
        out.fetch_xor_with(t, 6, x, scope, ordering);
    });
}

/// Each operation of all values in workgroup memory, which begins with what `out` has, for one group.
#[gpu_kernel(instances(u32, i32, u64, i64))]
fn updates_in_a_group<T: AtomicInteger + ArrayElement>(
    g: &Group,
    start: &[T],
    x: &[T],
    mut out: PerThread<[T]>,
    mut w: Workgroup<[T; 7]>,
) {
    g.load(&mut w, start, 0);
    let threads = g.len();
    g.each(w.atomic(), |t, w| {
        for i in (t.index()..x.len()).step_by(threads) {
            w.fetch_add(t, 0, x[i]);
            w.fetch_sub(t, 1, x[i]);
            w.fetch_min(t, 2, x[i]);
            w.fetch_max(t, 3, x[i]);
            w.fetch_and(t, 4, x[i]);
            w.fetch_or(t, 5, x[i]);
            w.fetch_xor(t, 6, x[i]);
        }
    });
    g.each((w.shared(), out.elements_mut()), |t, (w, out)| {
        if let Some(out) = out {
            *out = w[t.local().x];
        }
    });
}

macro_rules! integers {
    ($($test:ident $integer:ty;)*) => {$(
        #[test]
        fn $test() -> Result {
            let (device, stream) = open()?;
            for &n in sizes(&device, &[1, 31, 1000, 20_000], &[31, 300]) {
                let shift = <$integer>::BITS / 2;
                let x: Vec<$integer> = (0..n)
                    .map(|i: $integer| i.wrapping_mul(40503).wrapping_sub(77).wrapping_add(i << shift) | 64)
                    .collect();
                let start: [$integer; 7] = [5, 6, <$integer>::MAX - 3, <$integer>::MIN + 3, !8, 16, 32];
                let expected = x.iter().fold(start, |[add, sub, min, max, and, or, xor], &x| {
                    [add.wrapping_add(x), sub.wrapping_sub(x), min.min(x), max.max(x), and & x, or | x, xor ^ x]
                });
                let x = stream.upload(&x)?;
                let config = LaunchConfig::threads(n as usize).block(100);
                let mut out = stream.upload(&start)?;
                updates::<$integer>::load(&device)?.launch(&stream, config, (&x, &mut out))?;
                assert_eq!(stream.download(&out)?, expected);
                stream.copy_from_slice(&mut out, &start)?;
                ordered_updates::<$integer>::load(&device)?.launch(&stream, config, (&x, &mut out))?;
                assert_eq!(stream.download(&out)?, expected);
                let start = stream.upload(&start)?;
                let kernel = updates_in_a_group::<$integer>::load(&device)?;
                kernel.launch(&stream, LaunchConfig::grid(1, 64), (&start, &x, &mut out))?;
                assert_eq!(stream.download(&out)?, expected);
            }
            Ok(())
        }
    )*};
}

integers! {
    u32_takes_every_operation u32;
    i32_takes_every_operation i32;
    u64_takes_every_operation u64;
    i64_takes_every_operation i64;
}

#[gpu_kernel(instances(f32, f64))]
fn float_sums<T: AtomicValue + ArrayElement>(
    g: &Group,
    x: &[T],
    sums: Atomic<[T]>,
    mut w: Workgroup<[T; 2]>,
) {
    g.load(&mut w, &x[..0], 0);
    g.each(w.atomic(), |t, w| {
        let Some(&x) = x.get(t.index()) else { return };
        sums.fetch_add(t, 0, x);
        sums.fetch_add_with(t, 1, x, SCOPES[t.index() % 3], ORDERINGS[t.index() % 5]);
        w.fetch_add(t, 1, x);
    });
    let of_group = g.read(&w, 1);
    g.each((), |t, ()| {
        if t.local().x == 0 {
            sums.fetch_add(t, 2, of_group);
        }
    });
}

#[test]
fn floats_are_added() -> Result {
    let (device, stream) = open()?;
    let n = sizes(&device, &[5000], &[500])[0];
    let x: Vec<u16> = (0..n as u16).map(|i| i % 300).collect();
    let sum: f64 = x.iter().map(|&x| f64::from(x) * 0.5).sum();
    let singles = stream.upload(&x.iter().map(|&x| f32::from(x) * 0.5).collect::<Vec<_>>())?;
    let doubles = stream.upload(&x.iter().map(|&x| f64::from(x) * 0.5).collect::<Vec<_>>())?;
    let config = LaunchConfig::threads(n).block(96);
    let mut sums = stream.upload(&[0.25_f32; 3])?;
    float_sums::<f32>::load(&device)?.launch(&stream, config, (&singles, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [sum as f32 + 0.25; 3]);
    let mut sums = stream.upload(&[0.25_f64; 3])?;
    float_sums::<f64>::load(&device)?.launch(&stream, config, (&doubles, &mut sums))?;
    assert_eq!(stream.download(&sums)?, [sum + 0.25; 3]);
    Ok(())
}

/// What updates return, in global memory and in the group's.
#[gpu_kernel]
fn tickets(g: &Group, next: Atomic<[u32]>, drawn: Atomic<[u32]>, mut w: Workgroup<[u32; 4]>) {
    let mut of_group = g.private(0);
    g.load(&mut w, &[], 0);
    g.each((w.atomic(), &mut of_group), |t, (w, of_group)| {
        let ticket = next.fetch_add(t, 0, 1);
        drawn.fetch_add(t, ticket as usize, 1);
        *of_group = w.fetch_add(t, 2, 1);
        // A chain: whoever comes gets what the one before left.
        drawn.fetch_add(t, next.exchange(t, 1, ticket + 1) as usize, 1 << 8);
        w.exchange(t, 3, *of_group + 1);
        // One wins.
        if next.compare_exchange(t, 2, 0, ticket + 1) == 0 {
            drawn.fetch_add(t, ticket as usize, 1 << 16);
        }
        if w.compare_exchange(t, 1, 0, 9) == 0 {
            next.fetch_add(t, 3, 1);
        }
    });
    let (len, last, first) = (g.read(&w, 2) as usize, g.read(&w, 3) as usize, g.read(&w, 1));
    let tickets = g.reduce(&of_group, |a, b| a + b) as usize;
    // Whoever exchanged last needn't have drawn the last ticket.
    assert!(len == g.len() && (1..=len).contains(&last) && first == 9 && tickets == len * (len - 1) / 2);
}

#[test]
fn updates_return_what_was_there() -> Result {
    let (device, stream) = open()?;
    for &block in blocks(&device) {
        for &groups in sizes(&device, &[1, 2, 50], &[1, 3]) {
            let n = groups * block;
            let mut next = stream.alloc_zeroed::<u32>(4)?;
            let mut drawn = stream.alloc_zeroed::<u32>(n + 1)?;
            tickets::load(&device)?.launch(
                &stream,
                LaunchConfig::grid(groups, block),
                (&mut next, &mut drawn),
            )?;
            let (next, drawn) = (stream.download(&next)?, stream.download(&drawn)?);
            // Each ticket once; each of 0..=n but the last exchanged; one winner.
            let winner = next[2] as usize - 1;
            for (i, &drawn) in drawn.iter().enumerate() {
                let ticket = u32::from(i < n);
                let chained = u32::from(i != next[1] as usize) << 8;
                assert_eq!(drawn, ticket + chained + (u32::from(i == winner) << 16), "{i} of {n}");
            }
            assert_eq!((next[0] as usize, next[3] as usize), (n, groups));
        }
    }
    Ok(())
}

/// Adds by comparing and exchanging, with a lock, and by loading and storing where nobody else does.
#[gpu_kernel(instances(u32, i64))]
fn by_hand<T: AtomicInteger + From<u8> + core::ops::Add<Output = T>>(
    g: &Group,
    x: Atomic<[T]>,
    own: Atomic<[T]>,
) {
    let one = T::from(1);
    g.each((), |t, ()| {
        let ordering = ORDERINGS[t.index() % 5];
        let mut seen = x.load(t, 0, Scope::Device, ordering);
        loop {
            let found = x.compare_exchange(t, 0, seen, seen + one);
            if found == seen {
                break;
            }
            seen = found;
        }
        loop {
            seen = x.load(t, 1, Scope::System, Ordering::Relaxed);
            if x.compare_exchange_with(t, 1, seen, seen + one, Scope::Device, ordering) == seen {
                break;
            }
        }
        own.store(t, t.index(), T::from(7), Scope::Device, ordering);
        let back = own.load(t, t.index(), Scope::Device, Ordering::SeqCst);
        own.store(t, t.index(), back + one, Scope::System, ordering);
        own.exchange_with(t, t.index(), back + one + one, Scope::Workgroup, ordering);
    });
}

#[test]
fn comparing_and_exchanging_loses_nothing() -> Result {
    let (device, stream) = open()?;
    let groups = sizes(&device, &[37], &[3])[0];
    let n = 100 * groups;
    let config = LaunchConfig::grid(groups, 100);
    let (mut x, mut own) = (stream.upload(&[5_u32, 6])?, stream.alloc_zeroed::<u32>(n)?);
    by_hand::<u32>::load(&device)?.launch(&stream, config, (&mut x, &mut own))?;
    assert_eq!(
        (stream.download(&x)?, stream.download(&own)?),
        (vec![n as u32 + 5, n as u32 + 6], vec![9; n])
    );
    let (mut x, mut own) = (stream.upload(&[-5_i64, -6])?, stream.alloc_zeroed::<i64>(n)?);
    by_hand::<i64>::load(&device)?.launch(&stream, config, (&mut x, &mut own))?;
    assert_eq!(
        (stream.download(&x)?, stream.download(&own)?),
        (vec![n as i64 - 5, n as i64 - 6], vec![9; n])
    );
    Ok(())
}

#[gpu_kernel(block = 64)]
fn histogram(
    g: &Group,
    data: &[u8],
    counts: Atomic<[u32]>,
    mut bins: Workgroup<[[u32; 16]; 4]>,
    mut parts: Workgroup<[u32]>,
) {
    let (low, high) = parts.split_at_mut(64);
    g.each((bins.flat().elements_mut(), low.elements_mut(), high.elements_mut()), |_, (bin, low, high)| {
        (*bin, *low, *high) = (0, 0, 0);
    });
    let (low, mut high) = parts.split_at_mut(64);
    g.each((bins.atomic(), low.atomic(), high.reborrow().atomic()), |t, (bins, low, high)| {
        assert!(bins.len() == 64 && low.len() == 64 && high.len() == 64);
        for &value in data.iter().skip(t.index()).step_by(128) {
            match value >> 6 {
                0 => bins.fetch_add(t, usize::from(value), 1),
                1 => low.fetch_add(t, usize::from(value % 64), 1),
                2 => high.fetch_add(t, usize::from(value % 64), 1),
                _ => counts.fetch_add(t, usize::from(value), 1),
            };
        }
    });
    let (low, high) = parts.split_at_mut(64);
    g.each((bins.flat().elements(), low.elements(), high.elements()), |t, (bin, low, high)| {
        let at = t.local().x;
        counts.fetch_add(t, at, *bin);
        counts.fetch_add(t, 64 + at, *low);
        counts.fetch_add(t, 128 + at, *high);
    });
}

#[test]
fn a_histogram_counts_in_each_shape_of_workgroup_memory() -> Result {
    let (device, stream) = open()?;
    for &n in sizes(&device, &[0, 1, 127, 10_000], &[127, 1000]) {
        let data: Vec<u8> = (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut expected = [0; 256];
        data.iter().for_each(|&value| expected[usize::from(value)] += 1);
        let mut counts = stream.alloc_zeroed::<u32>(256)?;
        let config = LaunchConfig::grid(2, 64).dyn_workgroup_bytes(512);
        histogram::load(&device)?.launch(&stream, config, (&stream.upload(&data)?, &mut counts))?;
        assert_eq!(stream.download(&counts)?, expected);
    }
    Ok(())
}
