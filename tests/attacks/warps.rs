//! Code of warps that keeps, leaks, swaps and drops what it was given, panics half way, or launches kernels.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use gridwright::prelude::*;

use crate::{Result, cpu};

/// Runs a kernel of groups of 100 threads, the last warp of which is a part of one, that writes a number of errors for each.
macro_rules! finds_no_error {
    ($kernel:ident) => {{
        let (device, stream) = cpu()?;
        let mut errors = stream.upload(&[99_u32; 5])?;
        $kernel::load(&device)?.launch(&stream, LaunchConfig::grid(5, 100), (&mut errors,))?;
        assert_eq!(stream.download(&errors)?, [0; 5]);
        Ok(())
    }};
}

/// The number of threads whose value isn't the one expected.
fn wrong<S: GroupShape>(
    g: &Group<'_, S>,
    values: &Private<u32>,
    expected: impl Fn(usize) -> u32 + Sync + gridwright::group::Uniform,
) -> u32 {
    g.count(&g.map(values, |t, value| *value != expected(t.local().x))) as u32
}

#[test]
fn parts_of_values_that_are_leaked_forgotten_or_dropped_are_the_groups_still() -> Result {
    #[gpu_kernel]
    fn keep_parts(g: &Group, mut errors: PerGroup<[u32]>) {
        let fixed = g.map((), |t, ()| t.local().x as u32);
        let (mut a, mut b, mut c) = (g.private(0_u32), g.private(0_u32), g.private(0_u32));
        g.each_warp((&fixed, &mut a, &mut b, &mut c), |w, (fixed, mut a, b, c)| {
            w.each((&mut a, fixed), |_, (a, fixed)| *a = *fixed);
            let b = Box::leak(Box::new(b));
            w.each((&mut *b, fixed), |_, (b, fixed)| *b = *fixed + 1);
            drop(Box::new(a));
            std::mem::forget(Box::new(c));
            // Memory that was given back though it is the group's would be handed out again here.
            let mut noise = [w.private(7_u32), w.private(8_u32), w.private(9_u32)];
            for noise in &mut noise {
                w.each(noise, |_, noise| *noise *= 3);
            }
        });
        let later = g.private(u32::MAX);
        let seen = wrong(g, &a, |x| x as u32) + wrong(g, &b, |x| x as u32 + 1) + wrong(g, &c, |_| 0);
        errors.set(g, seen + wrong(g, &later, |_| u32::MAX) + wrong(g, &fixed, |x| x as u32));
    }
    finds_no_error!(keep_parts)
}

#[test]
fn values_of_warps_that_are_leaked_are_never_handed_out_twice() -> Result {
    #[gpu_kernel]
    fn leak_in_warps(g: &Group, mut errors: PerGroup<[u32]>) {
        let mut seen = g.private(0_u32);
        let kept = g.map((), |t, ()| t.local().x as u32);
        for _ in 0..20 {
            g.each_warp(&mut seen, |w, mut seen| {
                let leaked = Box::leak(Box::new(w.map((), |t, ()| t.local().x as u32)));
                std::mem::forget(w.private(1_u32));
                let noise = w.private(2_u32);
                w.each((&*leaked, &mut seen, &noise), |t, (leaked, seen, noise)| {
                    *seen += u32::from(*leaked != t.local().x as u32 || *noise != 2);
                });
            });
        }
        errors.set(g, wrong(g, &seen, |_| 0) + wrong(g, &kept, |x| x as u32));
    }
    finds_no_error!(leak_in_warps)
}

#[test]
fn items_that_are_swapped_are_swapped_for_one_warp_only() -> Result {
    #[gpu_kernel(block = 100)]
    fn swap_items(
        g: &Group,
        mut errors: PerGroup<[u32]>,
        mut low: Workgroup<[u32; 4]>,
        mut high: Workgroup<[u32; 8]>,
    ) {
        let (mut a, mut b) = (g.private(1_u32), g.private(2_u32));
        g.each_warp(
            (&mut a, &mut b, low.warp_chunks_mut(1), high.warp_chunks_mut(2)),
            |w, (mut a, mut b, mut low, mut high)| {
                if w.index() % 2 == 1 {
                    std::mem::swap(&mut a, &mut b);
                    std::mem::swap(&mut low, &mut high);
                }
                let lens = low.len() * 10 + high.len();
                assert_eq!(lens, if w.index() % 2 == 1 { 21 } else { 12 });
                w.set(&mut low, 0, 100 + w.index() as u32);
                w.each(&mut a, |_, a| *a += 10);
            },
        );
        let odd = |x: usize| x / 32 % 2 == 1;
        let mut seen = wrong(g, &a, |x| if odd(x) { 1 } else { 11 });
        seen += wrong(g, &b, |x| if odd(x) { 12 } else { 2 });
        for warp in 0..4 {
            let value = if warp % 2 == 1 { g.read(&high, 2 * warp) } else { g.read(&low, warp) };
            seen += u32::from(value != 100 + warp as u32);
        }
        errors.set(g, seen);
    }
    finds_no_error!(swap_items)
}

#[test]
fn what_a_thread_owns_is_its_own_behind_a_lock_too() -> Result {
    #[gpu_kernel]
    fn lock(g: &Group, mut y: PerThread<[u32]>) {
        g.each_warp(&mut y, |w, y| {
            let y = Mutex::new(y);
            w.each((), |t, ()| {
                if let Some(y) = y.lock().expect("nobody panicked").get_mut(t) {
                    *y += t.index() as u32;
                }
            });
        });
    }
    let (device, stream) = cpu()?;
    let mut y = stream.upload(&[1000_u32; 150])?;
    lock::load(&device)?.launch(&stream, LaunchConfig::grid(2, 100), (&mut y,))?;
    assert_eq!(stream.download(&y)?, (1000..1150).collect::<Vec<u32>>());
    Ok(())
}

#[test]
fn a_group_goes_on_after_a_panic_that_was_caught_in_a_warp() -> Result {
    #[gpu_kernel(block = 100)]
    fn caught(g: &Group, mut errors: PerGroup<[u32]>, mut w: Workgroup<[u32; 100]>) {
        g.each(w.elements_mut(), |_, slot| *slot = 5);
        let mut a = g.private(0_u32);
        let all = catch_unwind(AssertUnwindSafe(|| {
            g.each_warp((&mut a, w.warp_chunks_mut(32)), |w, (mut a, mut part)| {
                w.each((&mut a, part.reborrow().elements_mut()), |t, (a, slot)| {
                    (*a, *slot) = (t.local().x as u32, 6);
                });
                let one = catch_unwind(AssertUnwindSafe(|| {
                    w.map(&a, |t, a| if t.lane() == 2 { panic!("in a lane") } else { *a })
                }));
                assert!(one.is_err() && w.index() < 2, "in a warp");
            });
        }));
        assert!(all.is_err());
        let b = g.map((), |t, ()| t.local().x as u32);
        // The first three warps ran, the third up to its panic.
        let mut seen = wrong(g, &a, |x| if x < 96 { x as u32 } else { 0 }) + wrong(g, &b, |x| x as u32);
        seen += g.count(&g.map(w.elements(), |t, slot| *slot != if t.local().x < 96 { 6 } else { 5 })) as u32;
        errors.set(g, seen);
    }
    finds_no_error!(caught)
}

#[gpu_kernel]
fn inner_of_warps(g: &Group, mut y: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.each_warp((w.warp_chunks_mut(g.warp_size()), &mut y), |w, (mut part, mut y)| {
        w.each(part.reborrow().elements_mut(), |t, slot| *slot = t.index() as u32);
        w.each((part.shared(), y.elements_mut()), |t, (part, y)| {
            if let Some(y) = y {
                *y = part[part.len() - 1 - t.lane()];
            }
        });
    });
}

fn launch_inner() -> Result<Vec<u32>> {
    let (device, stream) = cpu()?;
    let mut y = stream.alloc_zeroed::<u32>(40)?;
    let config = LaunchConfig::grid(1, 40).workgroup::<u32>(40);
    inner_of_warps::load(&device)?.launch(&stream, config, (&mut y,))?;
    stream.download(&y)
}

#[test]
fn a_kernel_launched_in_a_warp_leaves_the_outer_memory_alone() -> Result {
    #[gpu_kernel(block = 100)]
    fn outer_of_warps(g: &Group, mut errors: PerGroup<[u32]>, mut w: Workgroup<[u32; 100]>) {
        let mut a = g.private(3_u32);
        g.each_warp((&mut a, w.warp_chunks_mut(32)), |w, (mut a, part)| {
            w.each((&mut a, part.elements_mut()), |_, (a, slot)| (*a, *slot) = (*a + 1, 9));
            let expected: Vec<u32> = (0..32).rev().chain((32..40).rev()).collect();
            assert_eq!(launch_inner().ok(), Some(expected));
        });
        let bad = g.map(w.elements(), |_, slot| *slot != 9);
        errors.set(g, wrong(g, &a, |_| 4) + g.count(&bad) as u32);
    }
    finds_no_error!(outer_of_warps)
}
