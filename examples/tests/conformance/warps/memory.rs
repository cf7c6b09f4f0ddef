//! Workgroup memory of which each warp has a part, and what all of them read.

use gridwright::prelude::*;

#[host_only]
use super::{blocks, check, check_blocks};
#[host_only]
use crate::setting::{Result, numbers, open, warp_size};

#[gpu_kernel]
fn slots(g: &Group, x: &[u32], mut out: PerGroup<[u32]>, mut sums: Workgroup<[u32]>) {
    g.each_warp(sums.warp_chunks_mut(1), |w, mut sum| {
        let mine = w.map((), |t, ()| x[t.index()]);
        w.set(&mut sum, 0, w.reduce(&mine, |a, b| a + b));
    });
    let mine = g.map(sums.shared(), |t, sums| sums.get(t.local().x).copied().unwrap_or(0));
    // Fewer threads than warps there are never.
    out.set(g, g.reduce(&mine, |a, b| a + b));
}

#[test]
fn a_slot_for_each_warp_is_added_up_by_the_group() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    for &block in blocks(&device) {
        let host = numbers(3 * block);
        let (x, mut out) = (stream.upload(&host)?, stream.alloc_zeroed::<u32>(3)?);
        let config = LaunchConfig::grid(3, block).workgroup::<u32>(block.div_ceil(lanes));
        slots::load(&device)?.launch(&stream, config, (&x, &mut out))?;
        let sums: Vec<u32> = host.chunks(block).map(|group| group.iter().sum()).collect();
        assert_eq!(stream.download(&out)?, sums, "groups of {block}");
    }
    Ok(())
}

/// Each warp sorts its part by steps of odd and even pairs, as many as it has threads and no more.
#[gpu_kernel(requires = w.len() == g.len())]
fn sort(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.load(&mut w, x, g.origin().x);
    g.each_warp((w.warp_chunks_mut(g.warp_size()), &mut y), |w, (mut part, mut y)| {
        let len = w.len();
        for step in 0..len {
            // First all read, then all write.
            let next = w.map(part.reborrow().shared(), |t, part| {
                let lane = t.lane();
                let partner = if (lane + step) % 2 == 0 { lane + 1 } else { lane.wrapping_sub(1) };
                let (mine, theirs) = (part[lane], part.get(partner).copied().unwrap_or(part[lane]));
                if partner > lane { mine.min(theirs) } else { mine.max(theirs) }
            });
            w.each((part.reborrow().elements_mut(), &next), |_, (slot, next)| *slot = *next);
        }
        w.each((part.elements(), y.elements_mut()), |_, (slot, y)| *y.unwrap() = *slot);
    });
}

#[test]
fn what_a_warps_phase_writes_its_next_phase_reads() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            sort::load(device)?.launch(stream, config.workgroup::<u32>(block), (x, y))
        },
        |_, warp| {
            let mut sorted = warp.to_vec();
            sorted.sort_unstable();
            sorted
        },
    )
}

/// Each warp as many turns as its number says, with phases, shuffles and reads in them.
#[gpu_kernel(block = 100)]
fn turns(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut w: Workgroup<[u32; 100]>) {
    g.load(&mut w, x, g.origin().x);
    let mut mine = g.private(0);
    g.each_warp((&mut mine, w.warp_chunks_mut(g.warp_size())), |w, (mut mine, mut part)| {
        let mut turn = 0;
        while turn < 3 * w.index() + 1 {
            let first = w.read(&part, 0);
            w.each((&mut mine, part.reborrow().elements_mut()), |_, (mine, slot)| {
                *mine += first;
                *slot = slot.wrapping_mul(3);
            });
            let next = w.shuffle_down(&mine, 1);
            w.each((&mut mine, &next), |_, (mine, next)| *mine = mine.wrapping_add(next % 7));
            turn += 1;
        }
    });
    g.each((&mine, w.elements(), y.elements_mut()), |_, (mine, slot, y)| {
        *y.unwrap() = mine.wrapping_add(*slot);
    });
}

#[test]
fn warps_go_round_their_loops_as_often_as_each_says() -> Result {
    check_blocks(
        &[100],
        |stream, device, config, _, (x, y)| turns::load(device)?.launch(stream, config, (x, y)),
        |index, warp| {
            let (mut slots, mut mine) = (warp.to_vec(), vec![0_u32; warp.len()]);
            for _ in 0..3 * index + 1 {
                let first = slots[0];
                mine.iter_mut().for_each(|mine| *mine += first);
                slots.iter_mut().for_each(|slot| *slot = slot.wrapping_mul(3));
                let next: Vec<u32> =
                    (0..mine.len()).map(|lane| mine[(lane + 1).min(mine.len() - 1)]).collect();
                mine.iter_mut().zip(&next).for_each(|(mine, next)| *mine = mine.wrapping_add(next % 7));
            }
            mine.iter().zip(&slots).map(|(mine, slot)| mine.wrapping_add(*slot)).collect()
        },
    )
}

/// A table that all warps read, which is captured; in one row, and in rows and columns.
#[gpu_kernel(block = (16, 6))]
fn tables(
    g: &Group,
    mut y: PerThread<Matrix<[u32; 4]>>,
    mut table: Workgroup<[u32; 96]>,
    mut tile: Workgroup<[[u32; 16]; 16]>,
) {
    g.each(table.elements_mut(), |t, slot| *slot = t.index() as u32 * 10);
    g.each(tile.elements_mut(), |t, slot| *slot = (t.local().y * 100 + t.local().x) as u32);
    g.each_warp(&mut y, |w, mut y| {
        let last = w.read(&table, 95);
        w.each(
            (y.elements_mut(), table.shared(), table.elements(), tile.shared()),
            |t, (y, table, slot, tile)| {
                // Of a row each lane gets a slot; of rows and columns it takes what it likes.
                assert_eq!(*slot, table[t.lane()]);
                let place = tile[t.local().y][t.local().x];
                assert_eq!(place as usize, t.local().y * 100 + t.local().x);
                *y.unwrap() = [last, table[t.local().x], *slot, place];
            },
        );
    });
    g.each(table.elements_mut(), |_, slot| *slot = 0);
}

#[test]
fn warps_read_memory_that_the_closure_captures() -> Result {
    let (device, stream) = open()?;
    let mut y = stream.upload_matrix(6, 16, &[[0_u32; 4]; 96])?;
    tables::load(&device)?.launch(&stream, LaunchConfig::for_matrix(6, 16), (&mut y,))?;
    let lanes = warp_size(&device)? as u32;
    let of = |i: u32| [950, i % 16 * 10, i % lanes * 10, i / 16 * 100 + i % 16];
    assert_eq!(stream.download(&y)?, (0..96).map(of).collect::<Vec<_>>());
    Ok(())
}

/// Threads with one value in a warp add to its bin together.
#[gpu_kernel(block = 200)]
fn bins(g: &Group, x: &[u32], counts: Atomic<[u32]>, mut bins: Workgroup<[u32; 8]>) {
    g.each(bins.elements_mut().take(8), |_, bin| *bin = 0);
    g.each_warp(bins.atomic(), |w, bins| {
        let bin = w.map((), |t, ()| u64::from(x[t.index()] % 8));
        let same = w.match_any(&bin);
        w.each((bins, &bin, &same), |t, (bins, bin, same)| {
            if same.trailing_zeros() as usize == t.lane() {
                bins.fetch_add(t, *bin as usize, same.count_ones());
            }
        });
        w.each(bins, |t, bins| {
            bins.fetch_add(t, 0, 0);
        });
    });
    g.each(bins.elements().take(8), |t, bin| {
        counts.fetch_add(t, t.local().x, *bin);
    });
}

#[test]
fn warps_update_memory_together() -> Result {
    let (device, stream) = open()?;
    let host = numbers(1000);
    let (x, mut counts) = (stream.upload(&host)?, stream.alloc_zeroed::<u32>(8)?);
    bins::load(&device)?.launch(&stream, LaunchConfig::grid(5, 200), (&x, &mut counts))?;
    let expected: Vec<u32> =
        (0..8).map(|bin| host.iter().filter(|&&x| x % 8 == bin).count() as u32).collect();
    assert_eq!(stream.download(&counts)?, expected);
    Ok(())
}
