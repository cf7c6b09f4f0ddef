//! Who runs in a phase, and private values.

use gridwright::Dim;
use gridwright::prelude::*;

use super::at;
#[host_only]
use super::check;
#[host_only]
use crate::setting::{Result, device, open, sizes, warp_size};

/// Column, row, plane and index; the place in the group; the group's index, the thread's number in it and its lane; the
/// group's origin, shape and length.
type Who = [u32; 18];

/// What a group says of itself, at group level.
type OfGroup = (usize, usize, Dim, Dim);

fn of_group<S: GroupShape>(g: &Group<'_, S>) -> OfGroup {
    (g.index(), g.len(), g.shape(), g.origin())
}

fn who(group: OfGroup, t: Thread<'_>) -> Who {
    let (index, len, shape, origin) = group;
    let Local { x, y, z } = t.local();
    let number = (z * shape.y + y) * shape.x + x;
    [
        t.col(),
        t.row(),
        t.plane(),
        t.index(),
        x,
        y,
        z,
        t.group_index(),
        index,
        number,
        t.lane(),
        origin.x,
        origin.y,
        origin.z,
        shape.x,
        shape.y,
        shape.z,
        len,
    ]
    .map(|n| n as u32)
}

/// What `who` should say, for the thread at an index of a launch of whole groups.
#[host_only]
fn expected(lanes: usize, index: usize, [cols, rows, _]: [usize; 3], block: [usize; 3]) -> Who {
    let at = [index % cols, index / cols % rows, index / cols / rows];
    let [col, row, plane] = at;
    let [x, y, z] = [0, 1, 2].map(|axis| at[axis] % block[axis]);
    let [across, down, back] = [0, 1, 2].map(|axis| at[axis] / block[axis]);
    let group = (back * (rows / block[1]) + down) * (cols / block[0]) + across;
    let number = (z * block[1] + y) * block[0] + x;
    [
        col,
        row,
        plane,
        index,
        x,
        y,
        z,
        group,
        group,
        number,
        number % lanes,
        col - x,
        row - y,
        plane - z,
        block[0],
        block[1],
        block[2],
        block[0] * block[1] * block[2],
    ]
    .map(|n| n as u32)
}

macro_rules! identities {
    ($($name:ident $([$block:tt])?: $memory:ty;)*) => {$(
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut out: PerThread<$memory>) {
            let group = of_group(g);
            g.each(out.elements_mut(), |t, out| {
                if let Some(out) = out {
                    *out = who(group, t);
                }
            });
        }
    )*};
}

identities! {
    in_a_row: [Who];
    in_a_matrix: Matrix<Who>;
    in_a_volume: Volume<Who>;
    in_declared_rows[33]: [Who];
    in_declared_tiles[(5, 3)]: Matrix<Who>;
    in_declared_cubes[(5, 3, 2)]: Volume<Who>;
    in_rows_of_a_volume[7]: Volume<Who>;
}

#[test]
fn threads_and_groups_know_where_they_are() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    let all = [(1, 1, 1), (33, 1, 1), (70, 1, 1), (5, 3, 1), (11, 8, 1), (5, 3, 2), (9, 10, 5)];
    for &(cols, rows, planes) in sizes(&device, &all, &all[2..6]) {
        let threads: [usize; 3] = [cols, rows, planes];
        let axes = if planes > 1 { 3 } else { 1 + usize::from(rows > 1) };
        let whole =
            |block: [usize; 3]| -> [usize; 3] { [0, 1, 2].map(|a| threads[a].next_multiple_of(block[a])) };
        let compare = |out: Vec<Who>, block| {
            for (i, said) in out.into_iter().enumerate() {
                assert_eq!(
                    said,
                    expected(lanes, i, whole(block), block),
                    "of {threads:?} in blocks of {block:?}"
                );
            }
        };
        let volume = LaunchConfig::for_volume(planes, rows, cols);
        if axes == 1 {
            for block in [1, 31, 32, 33, 100] {
                let mut out = stream.alloc_zeroed::<Who>(whole([block, 1, 1])[0])?;
                in_a_row::load(&device)?.launch(&stream, volume.block(block), (&mut out,))?;
                compare(stream.download(&out)?, [block, 1, 1]);
            }
            let mut out = stream.alloc_zeroed::<Who>(whole([33, 1, 1])[0])?;
            in_declared_rows::load(&device)?.launch(&stream, volume, (&mut out,))?;
            compare(stream.download(&out)?, [33, 1, 1]);
        }
        if axes <= 2 {
            for block in [(1, 1), (5, 3), (32, 8), (1, 33)] {
                let [cols, rows, _] = whole([block.0, block.1, 1]);
                let mut out = stream.alloc_matrix_zeroed::<Who>(rows, cols)?;
                in_a_matrix::load(&device)?.launch(&stream, volume.block(block), (&mut out,))?;
                compare(stream.download(&out)?, [block.0, block.1, 1]);
            }
            let [cols, rows, _] = whole([5, 3, 1]);
            let mut out = stream.alloc_matrix_zeroed::<Who>(rows, cols)?;
            in_declared_tiles::load(&device)?.launch(&stream, volume, (&mut out,))?;
            compare(stream.download(&out)?, [5, 3, 1]);
        }
        for block in [(1, 1, 1), (5, 3, 2), (8, 8, 4)] {
            let [cols, rows, planes] = whole([block.0, block.1, block.2]);
            let mut out = stream.alloc_volume_zeroed::<Who>(planes, rows, cols)?;
            in_a_volume::load(&device)?.launch(&stream, volume.block(block), (&mut out,))?;
            compare(stream.download(&out)?, [block.0, block.1, block.2]);
        }
        for block in [[5, 3, 2], [7, 1, 1]] {
            let [cols, rows, planes] = whole(block);
            let mut out = stream.alloc_volume_zeroed::<Who>(planes, rows, cols)?;
            if block[1] == 1 {
                in_rows_of_a_volume::load(&device)?.launch(&stream, volume, (&mut out,))?;
            } else {
                in_declared_cubes::load(&device)?.launch(&stream, volume, (&mut out,))?;
            }
            compare(stream.download(&out)?, block);
        }
    }
    Ok(())
}

#[gpu_kernel]
fn tally(g: &Group, phases: Atomic<[u32]>) {
    g.each((), |t, ()| {
        phases.fetch_add(t, t.index(), 1);
    });
}

#[test]
fn threads_are_rounded_up_to_whole_groups_and_each_runs_once() -> Result {
    let (device, stream) = open()?;
    let kernel = tally::load(&device)?;
    let launches = [
        (LaunchConfig::threads(1).block(100), 100),
        (LaunchConfig::threads(101).block(100), 200),
        (LaunchConfig::threads(1000), 1024),
        (LaunchConfig::for_matrix(5, 7).block((4, 2)), 8 * 6),
        (LaunchConfig::for_matrix(5, 7), 32 * 8),
        (LaunchConfig::for_volume(3, 5, 7).block((4, 2, 2)), 8 * 6 * 4),
        (LaunchConfig::grid((2, 3, 4), (5, 4, 3)), 24 * 60),
        (LaunchConfig::grid(7, 1000), 7000),
    ];
    for (config, threads) in launches {
        let mut phases = stream.alloc_zeroed::<u32>(threads)?;
        kernel.launch(&stream, config, (&mut phases,))?;
        assert_eq!(stream.download(&phases)?, vec![1; threads], "{config:?}");
    }
    Ok(())
}

#[gpu_kernel]
fn rounds(g: &Group, rounds: u32, x: &[u32], mut out: PerThread<[[u32; 2]]>) {
    let mut sum = g.map((), |t, ()| at(x, t.index()));
    let mut pair = g.private((0_u8, 1_u64));
    let mut total = 0_u32;
    for round in 0..rounds {
        let next = g.map(&sum, |t, sum| sum.wrapping_mul(3).wrapping_add(t.local().x as u32 + round));
        g.each((&mut sum, &next, &mut pair), |_, (sum, next, (a, b))| {
            *sum = *next;
            (*a, *b) = (a.wrapping_add(1), *b + 2);
        });
        total = total.wrapping_add(g.broadcast(&sum, 0));
    }
    g.each((&sum, &pair, out.elements_mut()), |_, (sum, (a, b), out)| {
        if let Some(out) = out {
            *out = [sum.wrapping_add(u32::from(*a)).wrapping_add(*b as u32), total];
        }
    });
}

#[test]
fn private_values_live_across_phases_and_loops_at_group_level() -> Result {
    for &times in sizes(&device()?, &[0, 1, 300], &[0, 20]) {
        check(
            |stream, device, config, _, (x, y)| rounds::load(device)?.launch(stream, config, (times, x, y)),
            |group| {
                let run = |number: usize| {
                    let mut total = 0_u32;
                    let sum = (0..times).fold(group[number], |sum, round| {
                        let sum = sum.wrapping_mul(3).wrapping_add(number as u32 + round);
                        total = total.wrapping_add(sum);
                        sum
                    });
                    (sum.wrapping_add(times % 256).wrapping_add(1 + 2 * times), total)
                };
                let (_, total) = run(0);
                (0..group.len()).map(|number| [run(number).0, total]).collect()
            },
        )?;
    }
    Ok(())
}

#[test]
fn a_long_loop_at_group_level_ends_soon() -> Result {
    let (device, stream) = open()?;
    let kernel = rounds::load(&device)?;
    let x = stream.upload(&[1_u32; 8])?;
    let mut out = stream.alloc_zeroed::<[u32; 2]>(8)?;
    let rounds = sizes(&device, &[1_000_000_u32], &[1000])[0];
    kernel.launch(&stream, LaunchConfig::grid(1, 8), (rounds, &x, &mut out))?;
    let out = stream.download(&out)?;
    let expected = (0..rounds).fold(1_u32, |sum, round| sum.wrapping_mul(3).wrapping_add(7 + round));
    assert_eq!(out[7][0], expected.wrapping_add(rounds % 256).wrapping_add(2 * rounds + 1));
    Ok(())
}

#[gpu_kernel]
fn of_all_types(g: &Group, x: &[u32], mut out: PerThread<[u32]>) {
    let number = g.map((), |t, ()| at(x, t.index()));
    let unit = g.map(&number, |_, _| ());
    let odd = g.map((&number, &unit), |_, (x, ())| x % 2 == 1);
    let maybe = g.map((&number, &odd), |_, (x, odd)| odd.then_some(*x));
    let array = g.map(&maybe, |_, maybe| [maybe.unwrap_or(1); 50]);
    let wide = g.map(&array, |_, array| u128::from(array[49]) << 100);
    let order = g.map(&wide, |_, wide| wide.cmp(&(5 << 100)));
    g.each((&order, &array, out.elements_mut()), |_, (order, array, out)| {
        if let Some(out) = out {
            *out = array.iter().sum::<u32>() + u32::from(order.is_gt());
        }
    });
}

#[test]
fn private_values_are_of_any_type_that_is_copied() -> Result {
    check(
        |stream, device, config, _, (x, y)| of_all_types::load(device)?.launch(stream, config, (x, y)),
        |group| group.iter().map(|&x| if x % 2 == 1 { 50 * x + u32::from(x > 5) } else { 50 }).collect(),
    )
}

#[gpu_kernel]
fn changed_by_map(g: &Group, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let mut count = g.private(0_u32);
    let before = g.map((&mut count, w.elements_mut(), out.elements_mut()), |t, (count, slot, out)| {
        let before = *count;
        *count += 5;
        *slot = at(x, t.index());
        if let Some(out) = out {
            *out = 1000;
        }
        before + 1
    });
    g.each((&before, &count, w.elements(), out.elements_mut()), |_, (before, count, slot, out)| {
        if let Some(out) = out {
            *out += *before + *count + *slot;
        }
    });
}

#[test]
fn map_may_write_what_its_views_give() -> Result {
    check(
        |stream, device, config, _, (x, y)| {
            changed_by_map::load(device)?.launch(stream, config.workgroup_per_thread::<u32>(1), (x, y))
        },
        |group| group.iter().map(|x| 1006 + x).collect(),
    )
}
