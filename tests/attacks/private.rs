//! `Private` values that are forgotten, leaked, swapped and dropped in odd orders.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gridwright::prelude::*;

use crate::{Result, cpu};

/// The number of threads that hold other values than `first` and those that follow it by number.
fn wrong<S: GroupShape>(g: &Group<'_, S>, values: &Private<u32>, first: u32) -> usize {
    let wrong = g.map(values, |t, value| *value != first + t.local().x as u32);
    g.count(&wrong)
}

fn numbered<'k, S: GroupShape>(g: &Group<'k, S>, first: u32) -> Private<'k, u32> {
    g.map((), |t, ()| first + t.local().x as u32)
}

/// Runs a kernel that writes a number of errors for each of its groups.
macro_rules! finds_no_error {
    ($kernel:ident) => {{
        let (device, stream) = cpu()?;
        let mut errors = stream.upload(&[99_u32; 5])?;
        $kernel::load(&device)?.launch(&stream, LaunchConfig::grid(5, 96), (&mut errors,))?;
        assert_eq!(stream.download(&errors)?, [0; 5]);
        Ok(())
    }};
}

#[test]
fn values_that_are_forgotten_take_memory_and_nothing_else() -> Result {
    #[gpu_kernel]
    fn forget(g: &Group, mut errors: PerGroup<[u32]>) {
        let kept = numbered(g, 7);
        for turn in 0..2000 {
            std::mem::forget(numbered(g, turn));
        }
        errors.set(g, wrong(g, &kept, 7) as u32);
    }
    finds_no_error!(forget)
}

#[test]
fn values_that_are_leaked_live_as_long_as_their_group() -> Result {
    #[gpu_kernel]
    fn leak(g: &Group, mut errors: PerGroup<[u32]>) {
        let leaked = Box::leak(Box::new(numbered(g, 3)));
        g.each(&mut *leaked, |_, value| *value += 1);
        let later = numbered(g, 1000);
        errors.set(g, (wrong(g, leaked, 4) + wrong(g, &later, 1000)) as u32);
    }
    finds_no_error!(leak)
}

#[test]
fn values_dropped_in_any_order_are_never_handed_out_twice() -> Result {
    #[gpu_kernel]
    fn shuffle(g: &Group, mut errors: PerGroup<[u32]>) {
        let mut held: Vec<(u32, Private<u32>)> = Vec::new();
        let mut errors_seen = 0;
        for turn in 0..200_u32 {
            held.push((turn * 1000, numbered(g, turn * 1000)));
            if turn % 3 == 2 {
                let dropped = held.swap_remove(turn as usize * 7 % held.len());
                drop(held.swap_remove(turn as usize * 5 % held.len()));
                drop(dropped);
            }
            errors_seen += held.iter().map(|(first, values)| wrong(g, values, *first)).sum::<usize>();
        }
        errors.set(g, errors_seen as u32);
    }
    finds_no_error!(shuffle)
}

#[test]
fn values_of_other_sizes_do_not_share_memory() -> Result {
    #[repr(C, align(64))]
    #[derive(Clone, Copy)]
    struct Wide([u8; 64]);

    #[gpu_kernel]
    fn mix(g: &Group, mut errors: PerGroup<[u32]>) {
        let bytes = g.private(1_u8);
        let nothing = g.private(());
        let mut wide = g.private(Wide([2; 64]));
        drop(bytes);
        let words = numbered(g, 5);
        let bytes = g.private(3_u8);
        g.each((&mut wide, &nothing), |_, (wide, ())| wide.0[63] = 4);
        let bad = g.map((&bytes, &wide), |_, (byte, wide)| {
            let aligned = (&raw const *wide).addr().is_multiple_of(64);
            !(aligned && *byte == 3 && wide.0[..63] == [2; 63] && wide.0[63] == 4)
        });
        errors.set(g, (g.count(&bad) + wrong(g, &words, 5)) as u32);
    }
    finds_no_error!(mix)
}

#[test]
fn swapped_values_take_their_memory_along() -> Result {
    #[gpu_kernel]
    fn swap(g: &Group, mut errors: PerGroup<[u32]>) {
        let (mut a, mut b) = (numbered(g, 1), numbered(g, 500));
        std::mem::swap(&mut a, &mut b);
        g.each((&mut a, &b), |_, (a, b)| *a += *b - *b);
        let a_is_wrong = wrong(g, &a, 500);
        drop(a);
        let c = numbered(g, 900);
        errors.set(g, (a_is_wrong + wrong(g, &b, 1) + wrong(g, &c, 900)) as u32);
    }
    finds_no_error!(swap)
}

#[test]
fn a_map_that_is_caught_half_way_gives_its_memory_back_once() -> Result {
    #[gpu_kernel]
    fn half_made(g: &Group, mut errors: PerGroup<[u32]>) {
        let before = numbered(g, 10);
        let made = catch_unwind(AssertUnwindSafe(|| {
            g.map((), |t, ()| if t.local().x == 40 { panic!("half way") } else { 0_u32 })
        }));
        assert!(made.is_err());
        let (a, b) = (numbered(g, 2000), numbered(g, 3000));
        errors.set(g, (wrong(g, &before, 10) + wrong(g, &a, 2000) + wrong(g, &b, 3000)) as u32);
    }
    finds_no_error!(half_made)
}

#[test]
fn values_of_one_group_are_not_those_of_the_next() -> Result {
    #[gpu_kernel]
    fn fresh(g: &Group, mut errors: PerGroup<[u32]>) {
        let mut sum = g.private(0_u32);
        g.each(&mut sum, |t, sum| *sum += t.local().x as u32);
        errors.set(g, wrong(g, &sum, 0) as u32);
    }
    finds_no_error!(fresh)
}
