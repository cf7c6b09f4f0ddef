//! Floats as integers have it: extremes, exchanges, what is compared; and flags of a byte or two.

use gridwright::atomic::{AtomicElement, AtomicValue};
use gridwright::group::ArrayElement;
use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes};

/// The least and the greatest of all values and of what is there, in global memory and in the group's.
#[gpu_kernel(instances(f32, f64))]
fn extremes<T: AtomicValue + ArrayElement>(
    g: &Group,
    x: &[T],
    start: &[T],
    all: Atomic<[T]>,
    mut w: Workgroup<[T; 4]>,
) {
    g.load(&mut w, start, 0);
    g.each(w.atomic(), |t, w| {
        let Some(&x) = x.get(t.index()) else { return };
        for i in 0..2 {
            all.fetch_min(t, i, x);
            all.fetch_max_with(t, 2 + i, x, Scope::Device, Ordering::AcqRel);
            w.fetch_min(t, i, x);
            w.fetch_max(t, 2 + i, x);
        }
    });
    g.each(w.atomic(), |t, w| {
        if t.local().x == 0 {
            for i in 0..4 {
                let own = w.read(t, i);
                if i < 2 {
                    all.fetch_min(t, 4 + i, own)
                } else {
                    all.fetch_max(t, 4 + i, own)
                };
            }
        }
    });
}

macro_rules! extremes {
    ($($test:ident $float:ty;)*) => {$(
        #[test]
        fn $test() -> Result {
            let (device, stream) = open()?;
            let n = sizes(&device, &[3000], &[300])[0];
            let special = [0.0, -0.0, <$float>::INFINITY, <$float>::NEG_INFINITY, <$float>::NAN, -<$float>::NAN];
            let usual: Vec<$float> = (0..n).map(|i| (i * 7919 % 1009) as $float - 500.5).collect();
            let negative: Vec<$float> = usual.iter().map(|x| -1.0 - x.abs()).collect();
            let mixed: Vec<$float> = usual.iter().copied().chain(special).collect();
            let zeros: Vec<$float> = (0..n).map(|i| if i % 3 == 0 { 0.0 } else { -0.0 }).collect();
            for x in [usual, negative, mixed, zeros, vec![<$float>::NAN; 40]] {
                for start in [[0.0, 1.5, -0.0, -1e30], [<$float>::NAN, 7.0, <$float>::NEG_INFINITY, 3.0]] {
                    let mut expected = start;
                    for &x in x.iter().filter(|x| !x.is_nan()) {
                        for (i, kept) in expected.iter_mut().enumerate() {
                            let is_kept = if i < 2 { kept.total_cmp(&x).is_le() } else { kept.total_cmp(&x).is_ge() };
                            *kept = if is_kept { *kept } else { x };
                        }
                    }
                    let mut all = stream.upload(&[start, start].concat())?;
                    let arguments = (&stream.upload(&x)?, &stream.upload(&start)?, &mut all);
                    extremes::<$float>::load(&device)?.launch(&stream, LaunchConfig::threads(x.len()).block(96), arguments)?;
                    let bits = |x: &[$float]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    let (all, twice) = (bits(&stream.download(&all)?), bits(&[expected, expected].concat()));
                    // A NaN of a group is not given to the whole, where its start isn't one either.
                    if start[0].is_nan() {
                        assert_eq!((&all[..4], &all[5..]), (&twice[..4], &twice[5..]));
                    } else {
                        assert_eq!(all, twice);
                    }
                }
            }
            Ok(())
        }
    )*};
}

extremes! {
    the_extremes_of_f32_are_found f32;
    the_extremes_of_f64_are_found f64;
}

/// Each thread leaves its value and takes what was there; and adds one by comparing and exchanging.
#[gpu_kernel(instances(f32, f64))]
fn exchanges<T: AtomicValue + ArrayElement + core::ops::Add<Output = T> + PartialEq>(
    g: &Group,
    x: &[T],
    one: T,
    left: Atomic<[T]>,
    mut taken: PerThread<[T]>,
    mut w: Workgroup<[T; 2]>,
) {
    g.load(&mut w, &x[..0], 0);
    g.each((w.atomic(), taken.elements_mut()), |t, (w, taken)| {
        if let Some(taken) = taken {
            *taken = left.exchange(t, 0, x[t.index()]);
            let mut seen = left.read(t, 1);
            loop {
                let found = left.compare_exchange(t, 1, seen, seen + one);
                if found == seen {
                    break;
                }
                seen = found;
            }
            w.exchange(t, 0, x[t.index()]);
            // Nobody else's value is below zero.
            w.compare_exchange(t, 1, x[t.index()], one);
        }
    });
    let (last, untouched) = (g.read(&w, 0), g.read(&w, 1));
    g.each((), |t, ()| {
        if t.local().x == 0 {
            left.set(t, 2 + t.group_index(), last);
            left.fetch_add(t, 1, untouched);
        }
    });
}

macro_rules! exchanges {
    ($($test:ident $float:ty;)*) => {$(
        #[test]
        fn $test() -> Result {
            let (device, stream) = open()?;
            let n = sizes(&device, &[2000], &[200])[0];
            let groups = n / 50;
            let x: Vec<$float> = (1..=n).map(|i| i as $float).collect();
            let mut left = stream.alloc_zeroed::<$float>(2 + groups)?;
            let mut taken = stream.alloc_zeroed::<$float>(n)?;
            let kernel = exchanges::<$float>::load(&device)?;
            kernel.launch(&stream, LaunchConfig::grid(groups, 50), (&stream.upload(&x)?, 1.0, &mut left, &mut taken))?;
            let (left, mut taken) = (stream.download(&left)?, stream.download(&taken)?);
            // All but one of the values, and the zero at the beginning, were taken once.
            taken.push(left[0]);
            taken.sort_by(<$float>::total_cmp);
            assert_eq!(taken, std::iter::once(0.0).chain(x).collect::<Vec<_>>());
            assert_eq!(left[1], n as $float);
            for (group, &last) in left[2..].iter().enumerate() {
                assert!((50 * group + 1..=50 * group + 50).contains(&(last as usize)), "{last} of {group}");
            }
            Ok(())
        }
    )*};
}

exchanges! {
    f32_is_exchanged f32;
    f64_is_exchanged f64;
}

/// Neighbouring flags are set by different threads, which read back their own, in global memory and in the group's.
#[gpu_kernel(instances(u8, u16))]
fn flags<T: AtomicElement + ArrayElement + PartialEq>(
    g: &Group,
    values: &[T],
    is_set: Atomic<[T]>,
    wrong: Atomic<[u32]>,
    mut w: Workgroup<[T; 64]>,
) {
    g.load(&mut w, &values[..0], 0);
    g.each(w.atomic(), |t, w| {
        let i = t.index();
        is_set.set(t, i, values[i]);
        w.set(t, t.local().x, values[i]);
        if is_set.read(t, i) != values[i] || is_set.load(t, i, Scope::Device, Ordering::Acquire) != values[i]
        {
            wrong.fetch_add(t, 0, 1);
        }
    });
    g.each(w.atomic(), |t, w| {
        let other = t.local().x ^ 1;
        if w.read(t, other) != values[t.index() ^ 1] {
            wrong.fetch_add(t, 1, 1);
        }
        is_set.store(t, t.index() ^ 1, w.read(t, other), Scope::System, Ordering::Release);
    });
}

#[test]
fn flags_beside_each_other_are_set_by_different_threads() -> Result {
    let (device, stream) = open()?;
    let groups = sizes(&device, &[40], &[3])[0];
    let config = LaunchConfig::grid(groups, 64);
    let n = 64 * groups;
    let mut wrong = stream.alloc_zeroed::<u32>(2)?;
    let bytes: Vec<u8> = (0..n).map(|i| (i * 31 % 251) as u8).collect();
    let mut is_set = stream.alloc_zeroed::<u8>(n)?;
    flags::<u8>::load(&device)?.launch(
        &stream,
        config,
        (&stream.upload(&bytes)?, &mut is_set, &mut wrong),
    )?;
    assert_eq!(stream.download(&is_set)?, bytes);
    let words: Vec<u16> = (0..n).map(|i| (i * 31 % 65_521) as u16).collect();
    let mut is_set = stream.alloc_zeroed::<u16>(n)?;
    flags::<u16>::load(&device)?.launch(
        &stream,
        config,
        (&stream.upload(&words)?, &mut is_set, &mut wrong),
    )?;
    assert_eq!((stream.download(&is_set)?, stream.download(&wrong)?), (words, vec![0, 0]));
    Ok(())
}
