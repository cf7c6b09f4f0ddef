//! What each view of workgroup memory gives each thread.

use gridwright::prelude::*;

use super::at;
#[host_only]
use super::{blocks, check, check_blocks};
#[host_only]
use crate::setting::{Result, device, open, sizes};

#[gpu_kernel]
fn mirrored(
    g: &Group,
    x: &[u32],
    mut out: PerThread<[[u32; 2]]>,
    mut v: Workgroup<[u32]>,
    mut w: Workgroup<[u32]>,
) {
    // What nobody writes later.
    g.fill(&mut v, u32::MAX);
    g.fill(&mut w, u32::MAX);
    g.each((v.elements_mut(), w.elements_mut().reversed()), |t, (v, w)| {
        *v = at(x, t.index());
        *w = *v;
    });
    g.each((v.elements().reversed(), w.elements(), out.elements_mut()), |_, (v, w, out)| {
        if let Some(out) = out {
            *out = [*v, *w];
        }
    });
}

#[test]
fn reversed_gives_the_first_thread_the_last_slot() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            let config = config.workgroup::<u32>(block).workgroup::<u32>(block);
            mirrored::load(device)?.launch(stream, config, (x, y))
        },
        |group| group.iter().rev().map(|&x| [x, x]).collect(),
    )?;
    // Of more slots than threads it gives the last ones, whose mirror images nobody wrote.
    check_blocks(
        &[1, 33],
        |stream, device, config, block, (x, y)| {
            let config = config.workgroup::<u32>(2 * block).workgroup::<u32>(2 * block);
            mirrored::load(device)?.launch(stream, config, (x, y))
        },
        |group| vec![[u32::MAX; 2]; group.len()],
    )
}

#[gpu_kernel]
fn third_slots(g: &Group, x: &[u32], mut out: PerThread<[[u32; 3]]>, mut w: Workgroup<[u32]>) {
    g.fill(&mut w, u32::MAX);
    g.each(w.elements_mut().strided::<3>(), |t, slot| *slot = at(x, t.index()));
    g.each((w.elements().strided::<3>(), w.shared(), out.elements_mut()), |t, (slot, all, out)| {
        let here = 3 * t.local().x;
        if let Some(out) = out {
            *out = [*slot, all[here], all.get(here + 1).copied().unwrap_or(u32::MAX)];
        }
    });
}

#[test]
fn strided_gives_every_third_slot_and_no_other() -> Result {
    for &beyond in sizes(&device()?, &[0, 1, 2], &[0, 2]) {
        check(
            |stream, device, config, block, (x, y)| {
                let config = config.workgroup::<u32>(3 * (block - 1) + 1 + beyond);
                third_slots::load(device)?.launch(stream, config, (x, y))
            },
            |group| group.iter().map(|&x| [x, x, u32::MAX]).collect(),
        )?;
    }
    Ok(())
}

#[gpu_kernel]
fn first_few(g: &Group, few: usize, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let mut mine = g.private(1000);
    g.each((w.elements_mut().take(few), &mut mine), |t, (slot, mine)| {
        *slot = at(x, t.index());
        *mine += 1;
    });
    g.each((w.elements().reversed().take(few), &mut mine), |_, (slot, mine)| *mine += *slot);
    g.each((&mine, out.elements_mut()), |_, (mine, out)| {
        if let Some(out) = out {
            *out = *mine;
        }
    });
}

#[test]
fn take_lets_the_first_threads_take_part_and_needs_slots_for_them_only() -> Result {
    for &few in sizes(&device()?, &[0, 1, 2, 31, 32, 33, 99, 1000, 5000, usize::MAX], &[0, 33, usize::MAX]) {
        check(
            |stream, device, config, block, (x, y)| {
                let config = config.workgroup::<u32>(few.clamp(1, block));
                first_few::load(device)?.launch(stream, config, (few, x, y))
            },
            |group| {
                let few = few.min(group.len());
                let taken = group[..few].iter().rev().map(|x| 1001 + x);
                taken.chain(vec![1000; group.len() - few]).collect()
            },
        )?;
    }
    Ok(())
}

#[gpu_kernel]
fn the_least_takes_part(g: &Group, few: [usize; 3], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let (a, rest) = w.split_at_mut(40);
    let (b, c) = rest.split_at_mut(40);
    let views = (
        a.elements_mut().take(few[0]),
        b.elements_mut().take(few[1]),
        c.elements().take(few[2]),
        out.elements_mut(),
    );
    g.each(views, |_, (.., out)| {
        if let Some(out) = out {
            *out = 1;
        }
    });
}

#[test]
fn of_several_takes_the_least_counts() -> Result {
    for few in [[3, 5, 7], [7, 3, 5], [5, 7, 3], [40, 3, 90]] {
        check_blocks(
            &[40],
            |stream, device, config, _, (_, y)| {
                the_least_takes_part::load(device)?.launch(stream, config.workgroup::<u32>(120), (few, y))
            },
            |group| (0..group.len()).map(|i| u32::from(i < 3)).collect(),
        )?;
    }
    Ok(())
}

#[gpu_kernel]
fn fours(g: &Group, x: &[u32], mut out: PerThread<[[u32; 5]]>, mut w: Workgroup<[u32]>) {
    g.each(w.chunks::<4>().elements_mut(), |t, four| *four = [0, 1, 2, 3].map(|i| at(x, t.index()) + i));
    let mut last = g.private(0);
    g.each((w.chunks::<4>().elements().reversed(), &mut last), |_, (four, last)| *last = four[3]);
    g.each((w.shared(), &last, out.elements_mut()), |t, (all, last, out)| {
        if let Some(out) = out {
            let [a, b, c, d] = core::array::from_fn(|i| all[4 * t.local().x + i]);
            *out = [a, b, c, d, *last];
        }
    });
}

#[test]
fn chunks_are_neighbours_and_leave_out_what_is_left_over() -> Result {
    for &left_over in sizes(&device()?, &[0, 1, 2, 3], &[0, 3]) {
        check(
            |stream, device, config, block, (x, y)| {
                fours::load(device)?.launch(stream, config.workgroup::<u32>(4 * block + left_over), (x, y))
            },
            |group| {
                group.iter().zip(group.iter().rev()).map(|(x, r)| [*x, x + 1, x + 2, x + 3, r + 3]).collect()
            },
        )?;
    }
    Ok(())
}

#[gpu_kernel(block = 60)]
fn in_one_row(
    g: &Group,
    x: &[u32],
    mut out: PerThread<[[u32; 3]]>,
    mut two: Workgroup<[[u32; 12]; 5]>,
    mut three: Workgroup<[[[u32; 5]; 4]; 3]>,
    mut one: Workgroup<[u32; 61]>,
) {
    g.each(
        (two.flat().elements_mut(), three.flat().elements_mut(), one.flat().elements_mut()),
        |t, (two, three, one)| {
            *two = at(x, t.index());
            *three = *two + 1;
            *one = *two + 2;
        },
    );
    g.each((two.shared(), three.shared(), one.shared(), out.elements_mut()), |t, (two, three, one, out)| {
        let i = t.local().x;
        if let Some(out) = out {
            *out = [two[i / 12][i % 12], three[i / 20][i / 5 % 4][i % 5], one[i]];
        }
    });
}

#[test]
fn flat_is_row_after_row_and_plane_after_plane() -> Result {
    check_blocks(
        &[60],
        |stream, device, config, _, (x, y)| in_one_row::load(device)?.launch(stream, config, (x, y)),
        |group| group.iter().map(|&x| [x, x + 1, x + 2]).collect(),
    )
}

#[gpu_kernel]
fn first_as_array(g: &Group, x: &[u32], mut out: PerThread<[[u32; 2]]>, mut w: Workgroup<[u32]>) {
    g.fill(&mut w, u32::MAX);
    let mut array = w.array::<64>();
    g.each(array.elements_mut().take(64), |t, slot| *slot = at(x, t.index()));
    let mut mine = g.private(0);
    g.each((array.shared(), &mut mine), |t, (all, mine)| *mine = all[63 - t.local().x % 64]);
    g.each((&mine, w.shared(), out.elements_mut()), |_, (mine, all, out)| {
        if let Some(out) = out {
            *out = [*mine, all.get(64).copied().unwrap_or(u32::MAX)];
        }
    });
}

#[test]
fn array_is_the_first_slots() -> Result {
    for &len in sizes(&device()?, &[64, 65, 100], &[65]) {
        check_blocks(
            &[64, 100, 256],
            |stream, device, config, _, (x, y)| {
                first_as_array::load(device)?.launch(stream, config.workgroup::<u32>(len), (x, y))
            },
            |group| (0..group.len()).map(|i| [group[63 - i % 64], u32::MAX]).collect(),
        )?;
    }
    Ok(())
}

#[gpu_kernel(requires = w.len() == 3 * g.len())]
fn thirds(g: &Group, x: &[u32], mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let n = g.len();
    let mut whole = w.reborrow();
    g.each(whole.reborrow().elements_mut(), |_, slot| *slot = 7);
    let (mut a, rest) = whole.split_at_mut(n);
    let (mut b, mut c) = rest.split_at_mut(n);
    g.each(
        (a.reborrow().elements_mut(), b.reborrow().elements_mut(), c.reborrow().elements_mut()),
        |t, (a, b, c)| {
            *a += at(x, t.index());
            *b = *a * 2;
            *c = *a * 3;
        },
    );
    g.each((a.elements_mut(), b.elements().reversed(), c.shared()), |_, (a, b, c)| *a += *b + c[0]);
    g.each((w.elements(), out.elements_mut()), |_, (a, out)| {
        if let Some(out) = out {
            *out = *a;
        }
    });
}

#[test]
fn parts_of_parts_lie_side_by_side() -> Result {
    check(
        |stream, device, config, block, (x, y)| {
            thirds::load(device)?.launch(stream, config.workgroup::<u32>(3 * block), (x, y))
        },
        |group| {
            let value = |i: usize| group[i] + 7;
            (0..group.len()).map(|i| value(i) + 2 * value(group.len() - 1 - i) + 3 * value(0)).collect()
        },
    )
}

#[gpu_kernel]
fn split_at_the_ends(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    let n = w.len();
    let (none, all) = w.split_at_mut(0);
    let lens = none.len() * 1000 + all.len();
    let (all, none) = all.split_at_mut(n);
    let lens = lens + none.len() * 1000 + all.len();
    g.each((none.elements_mut().take(0), all.elements_mut()), |_, _| unreachable!());
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out = lens as u32;
        }
    });
}

#[test]
fn a_part_may_be_empty() -> Result {
    check(
        |stream, device, config, _, (_, y)| {
            split_at_the_ends::load(device)?.launch(stream, config.workgroup::<u32>(13), (y,))
        },
        |group| vec![26; group.len()],
    )
}

/// The thread's place, and what it finds at the place that is this one with column and row exchanged.
#[gpu_kernel]
fn places(g: &Group, mut out: PerThread<Matrix<[u32; 4]>>, mut tile: Workgroup<[[u32; 20]; 20]>) {
    g.each(tile.elements_mut(), |t, slot| *slot = (100 * t.local().y + t.local().x) as u32);
    let mut found = g.private([0; 3]);
    g.each((tile.elements(), tile.shared(), &mut found), |t, (slot, all, found)| {
        let l = t.local();
        *found = [*slot, all[l.y][l.x], 0];
    });
    g.each(tile.elements_mut().transposed(), |t, slot| *slot = (100 * t.local().y + t.local().x) as u32);
    g.each(
        (tile.elements().transposed(), tile.shared(), &found, out.elements_mut()),
        |t, (slot, all, found, out)| {
            let l = t.local();
            if let Some(out) = out {
                *out = [found[0], found[1], *slot, all[l.x][l.y]];
            }
        },
    );
}

/// The thread's place, and what it finds, where the compiler knows the block, and the memory is just as large.
#[gpu_kernel(block = (8, 4))]
fn declared_places(
    g: &Group,
    mut out: PerThread<Matrix<[u32; 4]>>,
    mut plain: Workgroup<[[u32; 8]; 4]>,
    mut turned: Workgroup<[[u32; 4]; 8]>,
) {
    g.each((plain.elements_mut(), turned.elements_mut().transposed()), |t, (plain, turned)| {
        *plain = (100 * t.local().y + t.local().x) as u32;
        *turned = *plain;
    });
    let each = (
        plain.elements(),
        plain.shared(),
        turned.elements().transposed(),
        turned.shared(),
        out.elements_mut(),
    );
    g.each(each, |t, (plain, all, turned, all_turned, out)| {
        let l = t.local();
        if let Some(out) = out {
            *out = [*plain, all[l.y][l.x], *turned, all_turned[l.x][l.y]];
        }
    });
}

#[test]
fn slots_of_two_axes_are_those_of_column_and_row() -> Result {
    let (device, stream) = open()?;
    let check = |(cols, rows): (usize, usize), out: Vec<[u32; 4]>, width: usize| {
        for (i, found) in out.into_iter().enumerate() {
            let place = (100 * (i / width % rows) + i % width % cols) as u32;
            assert_eq!(found, [place; 4], "thread {i} of blocks of {cols} by {rows}");
        }
    };
    let blocks = [(8, 4), (4, 8), (20, 20), (1, 1), (16, 16), (20, 1), (1, 20)];
    for &(height, width) in sizes(&device, &[(1, 1), (4, 8), (41, 23)], &[(17, 9)]) {
        for &block in sizes(&device, &blocks, &blocks[..3]) {
            let mut out = stream.alloc_matrix_zeroed(height, width)?;
            let config = LaunchConfig::for_matrix(height, width).block(block);
            places::load(&device)?.launch(&stream, config, (&mut out,))?;
            check(block, stream.download(&out)?, width);
        }
        let mut out = stream.alloc_matrix_zeroed(height, width)?;
        declared_places::load(&device)?.launch(
            &stream,
            LaunchConfig::for_matrix(height, width),
            (&mut out,),
        )?;
        check((8, 4), stream.download(&out)?, width);
    }
    Ok(())
}

/// What each thread finds at the place that is its own with column and row exchanged, in tiles of elements of several sizes,
/// one of which has rows longer than those that it needs.
#[gpu_kernel]
fn exchanged(
    g: &Group,
    mut out: PerThread<Matrix<[u64; 4]>>,
    mut short: Workgroup<[[u16; 20]; 20]>,
    mut plain: Workgroup<[[f32; 33]; 21]>,
    mut long: Workgroup<[[u64; 20]; 20]>,
) {
    let place = |t: &Thread| (100 * t.local().y + t.local().x) as u64;
    g.each((short.elements_mut().transposed(), plain.elements_mut().transposed()), |t, (short, plain)| {
        *short = place(&t) as u16;
        *plain = place(&t) as f32;
    });
    g.each(long.elements_mut().transposed(), |t, long| *long = place(&t) << 40);
    let tiles = (short.elements().transposed(), plain.elements().transposed(), long.elements().transposed());
    let mut calls = g.private(0);
    g.each_while(
        (tiles.0, tiles.1, tiles.2, &mut calls, out.elements_mut()),
        |t, (short, plain, long, calls, out)| {
            *calls += 1;
            if let Some(out) = out {
                *out = [u64::from(*short), *plain as u64, *long >> 40, *calls];
            }
            *calls <= (t.local().x % 3) as u64
        },
    );
}

#[test]
fn tiles_of_any_elements_are_read_down_their_columns() -> Result {
    let (device, stream) = open()?;
    let blocks = [(8, 4), (20, 20), (7, 13), (1, 1), (4, 8), (16, 16), (20, 1), (1, 20)];
    for &(height, width) in sizes(&device, &[(1, 1), (17, 9), (41, 23)], &[(17, 9)]) {
        for &block in sizes(&device, &blocks, &blocks[..3]) {
            let mut out = stream.alloc_matrix_zeroed(height, width)?;
            let config = LaunchConfig::for_matrix(height, width).block(block);
            exchanged::load(&device)?.launch(&stream, config, (&mut out,))?;
            for (i, found) in stream.download(&out)?.into_iter().enumerate() {
                let (x, y) = (i % width % block.0, i / width % block.1);
                let place = (100 * y + x) as u64;
                assert_eq!(
                    found,
                    [place, place, place, x as u64 % 3 + 1],
                    "thread {i} of blocks of {block:?}"
                );
            }
        }
    }
    Ok(())
}

#[gpu_kernel]
fn corners(g: &Group, mut out: PerThread<Volume<[u32; 2]>>, mut cube: Workgroup<[[[u32; 6]; 5]; 4]>) {
    g.each(cube.elements_mut(), |t, slot| *slot = t.index() as u32);
    g.each((cube.elements(), cube.shared(), out.elements_mut()), |t, (slot, all, out)| {
        let l = t.local();
        if let Some(out) = out {
            *out = [*slot, all[l.z][l.y][l.x]];
        }
    });
}

#[gpu_kernel(block = (6, 5, 4))]
fn declared_corners(
    g: &Group,
    mut out: PerThread<Volume<[u32; 2]>>,
    mut cube: Workgroup<[[[u32; 6]; 5]; 4]>,
) {
    g.each(cube.elements_mut(), |t, slot| *slot = t.index() as u32);
    g.each((cube.elements(), cube.shared(), out.elements_mut()), |t, (slot, all, out)| {
        let l = t.local();
        if let Some(out) = out {
            *out = [*slot, all[l.z][l.y][l.x]];
        }
    });
}

#[test]
fn slots_of_three_axes_are_those_of_column_row_and_plane() -> Result {
    let (device, stream) = open()?;
    let check = |out: Vec<[u32; 2]>, block: [usize; 3]| {
        // Indices count the threads of whole groups.
        let [cols, rows] = [13_usize.next_multiple_of(block[0]), 11_usize.next_multiple_of(block[1])];
        for (i, found) in out.into_iter().enumerate() {
            let (plane, row, col) = (i / (11 * 13), i / 13 % 11, i % 13);
            let index = ((plane * rows + row) * cols + col) as u32;
            assert_eq!(found, [index; 2], "({plane}, {row}, {col}) in blocks of {block:?}");
        }
    };
    let config = LaunchConfig::for_volume(7, 11, 13);
    let blocks = [(6, 5, 4), (3, 2, 4), (1, 1, 1), (6, 1, 1), (1, 5, 1), (1, 1, 4)];
    for &block in sizes(&device, &blocks, &blocks[..2]) {
        let mut out = stream.alloc_volume_zeroed(7, 11, 13)?;
        corners::load(&device)?.launch(&stream, config.block(block), (&mut out,))?;
        check(stream.download(&out)?, [block.0, block.1, block.2]);
    }
    let mut out = stream.alloc_volume_zeroed(7, 11, 13)?;
    declared_corners::load(&device)?.launch(&stream, config, (&mut out,))?;
    check(stream.download(&out)?, [6, 5, 4]);
    Ok(())
}

/// One axis of memory in a group of several: slots go by the thread's number.
#[gpu_kernel]
fn numbered(g: &Group, mut out: PerThread<Volume<u32>>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |t, slot| {
        let l = t.local();
        *slot = (l.z * 10_000 + l.y * 100 + l.x) as u32;
    });
    g.each((w.shared(), out.elements_mut()), |t, (all, out)| {
        let l = t.local();
        if let Some(out) = out {
            *out = all[(l.z * 3 + l.y) * 4 + l.x];
        }
    });
}

#[test]
fn slots_of_one_axis_go_row_after_row_through_a_group_of_three() -> Result {
    let (device, stream) = open()?;
    let mut out = stream.alloc_volume_zeroed(4, 6, 8)?;
    let config = LaunchConfig::for_volume(4, 6, 8).block((4, 3, 2)).workgroup_per_thread::<u32>(1);
    numbered::load(&device)?.launch(&stream, config, (&mut out,))?;
    for (i, found) in stream.download(&out)?.into_iter().enumerate() {
        let (plane, row, col) = (i / 48, i / 8 % 6, i % 8);
        assert_eq!(found as usize, plane % 2 * 10_000 + row % 3 * 100 + col % 4);
    }
    Ok(())
}

#[gpu_kernel]
fn one_to_eight(g: &Group, mut out: PerThread<[[u32; 9]]>) {
    let p: [Private<'_, u32>; 8] = [1, 2, 4, 8, 16, 32, 64, 128].map(|bit| g.private(bit));
    let [a, b, c, d, e, f, h, i] = &p;
    let mut sums = g.private([0; 9]);
    g.each((), |_, ()| ());
    g.each(&mut sums, |_, s| s[0] = 1000);
    g.each((&mut sums,), |_, (s,)| s[1] += 1);
    g.each((&mut sums, a), |_, (s, a)| s[2] += a);
    g.each((&mut sums, a, b), |_, (s, a, b)| s[3] += a + b);
    g.each((&mut sums, a, b, c), |_, (s, a, b, c)| s[4] += a + b + c);
    g.each((&mut sums, a, b, c, d), |_, (s, a, b, c, d)| s[5] += a + b + c + d);
    g.each((&mut sums, a, b, c, d, e), |_, (s, a, b, c, d, e)| s[6] += a + b + c + d + e);
    g.each((&mut sums, a, b, c, d, e, f), |_, (s, a, b, c, d, e, f)| s[7] += a + b + c + d + e + f);
    let eight = g.map((a, b, c, d, e, f, h, i), |_, (a, b, c, d, e, f, h, i)| a + b + c + d + e + f + h + i);
    g.each((&mut sums, a, b, c, d, e, f, &eight), |_, (s, a, b, c, d, e, f, eight)| {
        s[8] += a + b + c + d + e + f + eight;
    });
    g.each((&sums, out.elements_mut()), |_, (sums, out)| {
        if let Some(out) = out {
            *out = *sums;
        }
    });
}

#[test]
fn a_phase_hands_out_none_to_eight_views() -> Result {
    check(
        |stream, device, config, _, (_, y)| one_to_eight::load(device)?.launch(stream, config, (y,)),
        |group| vec![[1000, 1, 1, 3, 7, 15, 31, 63, 63 + 255]; group.len()],
    )
}

#[gpu_kernel]
fn one_of_each_kind(
    g: &Group,
    x: &[u32],
    mut out: PerThread<[u32]>,
    mut of_group: PerGroup<[[u32; 1024]]>,
    mut a: Workgroup<[u32]>,
    mut b: Workgroup<[u32; 1024]>,
    mut c: Workgroup<[u64]>,
) {
    let mut mine = g.map((), |t, ()| at(x, t.index()));
    let first = g.broadcast(&mine, 0);
    let twice = g.map(&mine, |_, mine| 2 * mine);
    g.each((b.elements_mut(), c.elements_mut().take(1)), |_, (b, c)| (*b, *c) = (5, 0));
    g.each(b.elements_mut(), |_, b| *b = 5);
    let views = (
        &mut mine,
        &twice,
        a.elements_mut(),
        b.elements().reversed(),
        b.shared(),
        out.elements_mut(),
        of_group.elements_mut(),
        c.atomic(),
    );
    g.each(views, |t, (mine, twice, a, b, all, out, of_group, sum)| {
        *a = *mine + *b + all[1023 - t.local().x % 2];
        *of_group = *a;
        sum.fetch_add(t, 0, u64::from(*twice));
        if let Some(out) = out {
            *out = first;
        }
    });
    let sum = g.read(&c, 0) as u32;
    g.each(
        (&mine, a.elements(), out.elements_mut(), of_group.elements_mut()),
        |_, (mine, a, out, of_group)| {
            if let Some(out) = out {
                *out += *mine + *a + *of_group + sum;
            }
        },
    );
}

#[test]
fn views_of_all_kinds_go_together() -> Result {
    check_blocks(
        &[1024],
        |stream, device, config, block, (x, y)| {
            let mut of_group = stream.alloc_zeroed::<u32>(1024 * y.len().div_ceil(block))?;
            let config = config.workgroup::<u32>(block).workgroup::<u64>(1);
            one_of_each_kind::load(device)?.launch(stream, config, (x, y, &mut of_group))
        },
        |group| {
            let sum: u32 = group.iter().map(|x| 2 * x).sum();
            group.iter().map(|x| group[0] + x + 2 * (x + 10) + sum).collect()
        },
    )
}

#[gpu_kernel]
fn sevens(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.each(w.elements_mut(), |_, slot| *slot = 7);
    let sums = g.map((w.elements(), w.shared()), |_, (slot, all)| *slot + all.len() as u32);
    g.each((&sums, out.elements_mut()), |_, (sum, out)| {
        if let Some(out) = out {
            *out = *sum;
        }
    });
}

#[test]
fn memory_may_have_more_slots_than_there_are_threads() -> Result {
    let (device, stream) = open()?;
    let kernel = sevens::load(&device)?;
    for &block in blocks(&device) {
        for slots in [block, block + 1, 10 * block] {
            let mut out = stream.alloc_zeroed::<u32>(2 * block)?;
            let config = LaunchConfig::grid(2, block).workgroup::<u32>(slots);
            kernel.launch(&stream, config, (&mut out,))?;
            assert_eq!(stream.download(&out)?, vec![7 + slots as u32; 2 * block]);
        }
    }
    Ok(())
}
