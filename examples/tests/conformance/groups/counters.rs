//! A few numbers of workgroup memory that all threads update: a CPU may keep them in registers while a phase runs.

use gridwright::atomic::AtomicInteger;
use gridwright::group::ArrayElement;
use gridwright::prelude::*;
#[host_only]
use gridwright_examples::samples::stream_compaction::{compact_by_ballots, compact_by_counter, stays};

#[host_only]
use super::check;
#[host_only]
use crate::setting::{Result, numbers, open, sizes};

/// Counts by one view of the memory, by two, by a phase that returns values, by warps, and by threads that repeat.
#[gpu_kernel]
fn counts(g: &Group, x: &[u32], mut y: PerThread<[[u32; 6]]>, mut w: Workgroup<[u32; 6]>) {
    g.fill(&mut w, 0);
    let mine = g.map((), |t, ()| x.get_or(t.index(), 0));
    let mut changed = g.private([7_u32; 2]);
    g.each((&mine, &mut changed, w.atomic()), |t, (x, changed, w)| {
        if x % 3 == 1 {
            w.fetch_add(t, 0, 1);
            changed[1] = 8;
        }
    });
    let both = w.atomic();
    g.each((&mine, both, both), |t, (x, one, other)| {
        if x % 3 == 1 {
            one.fetch_add(t, 1, 1);
            other.fetch_add(t, 1, 1);
        }
    });
    let places =
        g.map(
            (&mine, w.atomic()),
            |t, (x, w)| {
                if x % 3 == 1 { 1 + u32::from(w.fetch_add(t, 2, 1) >= 1024) } else { 0 }
            },
        );
    g.each_warp((&mine, w.atomic()), |warp, (mine, w)| {
        warp.each((mine, w), |t, (x, w)| {
            if x % 3 == 1 {
                w.fetch_add(t, 3, 1);
            }
        });
    });
    let mut left = g.map(&mine, |_, x| x % 3);
    g.each_while_branching((&mut left, w.atomic()), |t, (left, w)| {
        if *left > 0 {
            *left -= 1;
            w.fetch_add(t, 4, 1);
        }
        *left > 0
    });
    g.each((&places, &changed, w.atomic()), |t, (place, changed, w)| {
        w.fetch_add(t, 5, *place * (changed[0] - 6) * (changed[1] - 7));
    });
    g.each((w.shared(), y.elements_mut()), |_, (w, y)| {
        if let Some(y) = y {
            *y = *w;
        }
    });
}

#[test]
fn a_few_numbers_are_updated_by_any_views_of_them() -> Result {
    check(
        |stream, device, config, _, (x, y)| counts::load(device)?.launch(stream, config, (x, y)),
        |group| {
            let count = group.iter().filter(|&x| x % 3 == 1).count() as u32;
            let turns = group.iter().map(|x| x % 3).sum();
            vec![[count, 2 * count, count, count, turns, count]; group.len()]
        },
    )
}

/// As many numbers as registers hold, and one more.
#[gpu_kernel(instances(u32, i32, u64, i64))]
fn many_numbers<T: AtomicInteger + ArrayElement>(
    g: &Group,
    x: &[T],
    few_out: Atomic<[T]>,
    more_out: Atomic<[T]>,
    mut few: Workgroup<[T; 8]>,
    mut more: Workgroup<[T; 17]>,
) {
    g.each(few.elements_mut().take(8), |_, few| *few = T::zeroed());
    g.each(more.elements_mut().take(17), |_, more| *more = T::zeroed());
    g.each(few.atomic(), |t, few| {
        if let Some(&x) = x.get(t.index()) {
            few.fetch_add(t, t.index() % 8, x);
        }
    });
    g.each(more.atomic(), |t, more| {
        if let Some(&x) = x.get(t.index()) {
            more.fetch_add(t, t.index() % 17, x);
        }
    });
    g.each(few.elements().take(8), |t, few| {
        few_out.fetch_add(t, t.local().x, *few);
    });
    g.each(more.elements().take(17), |t, more| {
        more_out.fetch_add(t, t.local().x, *more);
    });
}

macro_rules! many_numbers {
    ($($test:ident $integer:ty;)*) => {$(
        #[test]
        fn $test() -> Result {
            let (device, stream) = open()?;
            let x: Vec<$integer> = (0..300).map(|i: $integer| i.wrapping_mul(40503)).collect();
            let of = |modulus: usize| -> Vec<$integer> {
                let at = |place| x.iter().skip(place).step_by(modulus);
                (0..modulus).map(|place| at(place).fold(0, |sum: $integer, &x| sum.wrapping_add(x))).collect()
            };
            let (mut few, mut more) = (stream.alloc_zeroed(8)?, stream.alloc_zeroed(17)?);
            let arguments = (&stream.upload(&x)?, &mut few, &mut more);
            many_numbers::<$integer>::load(&device)?.launch(&stream, LaunchConfig::grid(5, 64), arguments)?;
            assert_eq!(stream.download(&few)?, of(8));
            assert_eq!(stream.download(&more)?, of(17));
            Ok(())
        }
    )*};
}

many_numbers! {
    eight_u32_and_seventeen_are_updated u32;
    eight_i32_and_seventeen_are_updated i32;
    eight_u64_and_seventeen_are_updated u64;
    eight_i64_and_seventeen_are_updated i64;
}

#[test]
fn what_host_threads_compact_side_by_side_is_complete() -> Result {
    let (device, _) = open()?;
    let by_ballots = compact_by_ballots::load(&device)?;
    let by_counter = compact_by_counter::load(&device)?;
    std::thread::scope(|scope| {
        let launches: Vec<_> = sizes(&device, &[1, 31, 257, 5000, 100_000], &[31, 300])
            .iter()
            .map(|&len| {
                let (device, by_ballots, by_counter) = (&device, &by_ballots, &by_counter);
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let x = numbers(len);
                    let mut expected: Vec<u32> = x.iter().copied().filter(|&x| stays(x)).collect();
                    expected.sort_unstable();
                    let x = stream.upload(&x)?;
                    let config = LaunchConfig::threads(len);
                    for is_by_ballots in [true, false, true, false] {
                        let (mut y, mut count) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(1)?);
                        if is_by_ballots {
                            by_ballots.launch(&stream, config, (&x, &mut y, &mut count))?;
                        } else {
                            by_counter.launch(&stream, config, (&x, &mut y, &mut count))?;
                        }
                        assert_eq!(stream.download(&count)?, [expected.len() as u32]);
                        let mut found = stream.download(&y)?;
                        found.truncate(expected.len());
                        found.sort_unstable();
                        assert_eq!(found, expected);
                    }
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}
