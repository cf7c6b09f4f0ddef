//! Copies to workgroup memory that one thread has the hardware make.

use gridwright::prelude::*;

/// A piece from anywhere, to memory of any size that begins anywhere, between collectives.
#[gpu_kernel(block = 64)]
fn pieces(
    g: &Group,
    start: usize,
    skipped: usize,
    x: &[u32],
    mut out: PerThread<[[u32; 2]]>,
    mut memory: Workgroup<[u32]>,
) {
    g.fill(&mut memory, 7);
    let before = g.reduce(&g.map((), |t, ()| t.local().x as u32), |a, b| a + b);
    let (_, mut piece) = memory.split_at_mut(skipped);
    g.load_bulk(&mut piece, x, start);
    let sum = g.reduce(&g.map((), |t, ()| t.local().x as u32), |a, b| a + b);
    g.each((memory.shared(), out.elements_mut()), |t, (memory, out)| {
        if let Some(out) = out {
            let at = t.local().x;
            *out = [memory[at], memory[memory.len() - 1 - at] + before + sum];
        }
    });
}

/// 12 bytes that lie at multiples of four: 16 don't hold whole ones.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Point {
    at: [f32; 3],
}

#[gpu_kernel(block = (8, 4))]
fn point_sums(
    g: &Group,
    start: usize,
    x: &[Point],
    mut out: PerThread<Matrix<f32>>,
    mut piece: Workgroup<[Point; 32]>,
) {
    g.load_bulk(&mut piece, x, start);
    g.each((piece.shared(), out.elements_mut()), |t, (piece, out)| {
        if let Some(out) = out {
            *out = piece[t.local().y * 8 + t.local().x].at.iter().sum();
        }
    });
}

/// One piece after another, from memory and from an array of the thread's own.
#[gpu_kernel(block = 32)]
fn in_a_row(g: &Group, x: &[u64], mut out: PerThread<[u64]>, mut piece: Workgroup<[u64; 128]>) {
    let own: [u64; 128] = core::array::from_fn(|i| i as u64);
    let mut sums = g.private(0_u64);
    for start in (0..x.len()).step_by(128) {
        g.load_bulk(&mut piece, x, start);
        g.each((&mut sums, piece.shared()), |t, (sum, piece)| {
            for i in (t.local().x..128).step_by(32) {
                *sum += piece[i];
            }
        });
    }
    g.load_bulk(&mut piece, &own, 1);
    g.each((&sums, piece.shared(), out.elements_mut()), |t, (sum, piece, out)| {
        if let Some(out) = out {
            *out = *sum + piece[t.local().x];
        }
    });
}

/// Threads below `first` leave, the one that would have the hardware copy among them.
#[gpu_kernel(block = 64)]
fn without_the_first(
    g: &Group,
    first: usize,
    x: &[u32],
    mut out: PerThread<[u32]>,
    mut piece: Workgroup<[u32; 64]>,
) {
    g.each((), |t, ()| assert!(t.local().x >= first, "it leaves"));
    g.load_bulk(&mut piece, x, 0);
    g.each((piece.shared(), out.elements_mut()), |t, (piece, out)| {
        if let Some(out) = out {
            *out = piece[t.local().x];
        }
    });
}

#[cfg(not(gridwright_device))]
mod host {
    use std::path::Path;

    use gridwright::Error;

    use super::*;
    use crate::device;

    #[test]
    fn pieces_of_any_size_from_any_place() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = pieces::load(&device)?;
        let host: Vec<u32> = (1..=1000).collect();
        // From before the first element on, inside, to behind the last, and all of it outside.
        let starts = [0, 1, 3, 4, 900, 996, 999, 1000, 2000];
        let starts = starts.into_iter().chain([1, 4, 63, 64, 999, 3000].map(usize::wrapping_neg));
        for (skipped, len, count) in [
            (0, 64, 1000),
            (0, 256, 1000),
            (1, 100, 1000),
            (4, 999, 1000),
            (0, 100, 5),
            (2, 64, 0),
            (64, 64, 1000),
        ] {
            let host = &host[..count];
            let x = stream.upload(host)?;
            for start in starts.clone() {
                let mut out = stream.alloc_zeroed::<u32>(64 * 2)?;
                let config = LaunchConfig::grid(1, 64).workgroup::<u32>(len);
                kernel.launch(&stream, config, (start, skipped, &x, &mut out))?;
                let at = |i: usize| match i.checked_sub(skipped) {
                    None => 7,
                    Some(i) => host.get(start.wrapping_add(i)).copied().unwrap_or(0),
                };
                let sums = 2 * (63 * 64 / 2);
                let expected: Vec<u32> = (0..64).flat_map(|i| [at(i), at(len - 1 - i) + sums]).collect();
                assert_eq!(stream.download(&out)?, expected, "{len} less {skipped}, from {start} of {count}");
            }
        }
        Ok(())
    }

    #[test]
    fn elements_that_sixteen_bytes_do_not_hold() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = point_sums::load(&device)?;
        let host: Vec<Point> = (0..50_u8).map(|i| Point { at: [1.0, 2.0, f32::from(i)] }).collect();
        let x = stream.upload(&host)?;
        for start in [0, 1, 2, 3, 4, 40, 50].into_iter().chain([1, 4, 40].map(usize::wrapping_neg)) {
            let mut out = stream.alloc_matrix_zeroed::<f32>(4, 8)?;
            kernel.launch(&stream, LaunchConfig::grid(1, (8, 4)), (start, &x, &mut out))?;
            let sum = |i: usize| host.get(start.wrapping_add(i)).map_or(0.0, |point| point.at.iter().sum());
            assert_eq!(stream.download(&out)?, (0..32).map(sum).collect::<Vec<f32>>(), "{start}");
        }
        Ok(())
    }

    #[test]
    fn one_piece_after_another() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let host: Vec<u64> = (0..1000).map(|i| i * i).collect();
        let x = stream.upload(&host)?;
        let mut out = stream.alloc_zeroed::<u64>(32)?;
        in_a_row::load(&device)?.launch(&stream, LaunchConfig::grid(1, 32), (&x, &mut out))?;
        let expected: Vec<u64> =
            (0..32).map(|i| host.iter().skip(i).step_by(32).sum::<u64>() + 1 + i as u64).collect();
        assert_eq!(stream.download(&out)?, expected);
        Ok(())
    }

    #[test]
    fn groups_end_whose_first_thread_left() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x = stream.upload(&(1..=64).collect::<Vec<u32>>())?;
        let kernel = without_the_first::load(&device)?;
        for first in [0, 1, 32, 64] {
            let mut out = stream.alloc_zeroed::<u32>(64)?;
            let ended = kernel
                .launch(&stream, LaunchConfig::grid(1, 64), (first, &x, &mut out))
                .and_then(|()| stream.synchronize());
            assert_eq!(ended.is_ok(), first == 0, "{first}: {ended:?}");
        }
        Ok(())
    }

    /// One instruction for the whole piece, from sm_90 on.
    #[test]
    fn the_hardware_copies_in_bulk() {
        let bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
        let mut looked = 0;
        for (architecture, copies) in [("sm_80", 0), ("sm_90", 1)] {
            let name = format!("test-{}.{architecture}.ptx", env!("CARGO_CRATE_NAME"));
            let Ok(ptx) = std::fs::read_to_string(Path::new(env!("OUT_DIR")).join("gridwright").join(name))
            else {
                continue;
            };
            looked += 1;
            let (_, rest) = ptx.split_once(".entry point_sums(").expect("a kernel");
            let body = rest.split_once("\n}").map_or(rest, |(body, _)| body);
            assert_eq!(body.matches(bulk).count(), copies, "{architecture}: {body}");
            assert_eq!(body.matches("mbarrier.try_wait").count(), copies, "{architecture}: {body}");
        }
        let is_required = std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_some_and(|value| value == "1");
        assert!(looked > 0 || !is_required, "there are no images");
    }
}
