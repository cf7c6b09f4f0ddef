//! What a phase of a warp hands out to each lane, of each view that it takes: in groups of several warps, whose rows are shorter
//! than a warp, longer, or no multiple of one.

use gridwright::prelude::*;

/// What lanes get of memory that they read.
#[inline(always)]
fn read<'k, S: GroupShape>(
    g: &Group<'k, S>,
    start: usize,
    x: &[u32],
    wide: &[[u32; 4]],
    m: &Matrix<u32>,
    memory: &mut Workgroup<'_, [u32; 128]>,
) -> Private<'k, [u32; 12]> {
    let mut read = g.private([0; 12]);
    g.load(memory, x, 0);
    let mut scratch = g.private(0);
    g.each_warp((&mut read, &mut scratch), |w, (mut read, mut scratch)| {
        let lanes = w.size() as u32;
        w.each((&mut read, x.elements_from(start)), |_, (read, x)| read[0] = x.map_or(9, |x| *x));
        w.each((&mut read, wide.elements_from(start)), |_, (read, x)| {
            read[1] = x.map_or(9, |x| x.iter().sum());
        });
        w.each((&mut read, m.row(1).elements_from(2)), |_, (read, m)| read[2] = m.map_or(9, |m| *m));
        w.each((&mut read, memory.elements()), |_, (read, slot)| read[3] = *slot);
        w.each((&mut read, memory.elements().reversed()), |_, (read, slot)| read[4] = *slot);
        w.each((&mut read, memory.elements().strided::<2>()), |_, (read, slot)| read[5] = *slot);
        w.each((&mut read, memory.elements().padded::<8, 9>()), |_, (read, slot)| read[6] = *slot);
        w.each((&mut read, memory.elements().take(5)), |_, (read, slot)| read[7] = *slot + 1);
        w.each((&mut read, memory.shared()), |t, (read, all)| read[8] = all[(t.lane() + 1) % 128]);
        let mapped = w.map(x.elements_from(start + 1), |t, x| x.map_or(9, |x| *x) * 2 + t.lane() as u32);
        w.each((&mut read, &mapped), |_, (read, mapped)| read[9] = *mapped);
        w.each((&mut read, &mut scratch), |t, (read, scratch)| {
            *scratch = t.lane() as u32;
            read[10] = lanes;
        });
        w.each_while_up_to(3, (&mut read, x.elements_from(start)), |_, (read, x)| {
            read[11] += x.map_or(1, |x| *x);
            true
        });
        w.each_while((&mut read, &*scratch), |_, (read, scratch)| {
            read[11] += scratch;
            read[11] % 2 == 1 && *scratch % 2 == 1
        });
        w.each_while_branching((&mut read, memory.elements()), |_, (read, slot)| {
            read[11] += *slot;
            false
        });
    });
    read
}

/// What they find of what was written by lanes to memory of their warp: in its order, backwards, and how many lanes a warp has.
#[inline(always)]
fn written<'k, S: GroupShape>(
    g: &Group<'k, S>,
    memory: &mut Workgroup<'_, [u32; 1024]>,
) -> Private<'k, [u32; 4]> {
    let mut found = g.private([0; 4]);
    let each = memory.flat().warp_chunks_mut(2 * g.warp_size());
    g.each_warp((&mut found, each), |w, (mut found, mut memory)| {
        w.each(memory.reborrow().elements_mut(), |t, slot| {
            *slot = t.lane() as u32 + 100 * t.group_index() as u32;
        });
        w.each((&mut found, memory.reborrow().elements()), |_, (found, slot)| found[0] = *slot);
        let (low, high) = memory.reborrow().split_at_mut(w.len());
        let (high, _) = high.split_at_mut(w.len());
        w.each((low.elements(), high.elements_mut().reversed()), |_, (low, high)| *high = *low);
        let (_, high) = memory.reborrow().split_at_mut(w.len());
        w.each((&mut found, high.elements()), |_, (found, slot)| found[1] = *slot);
        w.each(memory.reborrow().elements_mut().take(1), |_, slot| *slot = 0);
        w.each(memory.reborrow().atomic(), |t, memory| {
            memory.fetch_add(t, 0, 1);
        });
        w.each((&mut found, memory.reborrow().shared()), |_, (found, all)| found[2] = all[0]);
        w.each(&mut found, |t, found| found[3] = t.index() as u32);
    });
    found
}

#[gpu_kernel(requires = start < x.len())]
fn in_rows(
    g: &Group,
    start: usize,
    x: &[u32],
    wide: &[[u32; 4]],
    m: &Matrix<u32>,
    mut out: PerThread<[[u32; 12]]>,
    mut found: PerThread<[[u32; 4]]>,
    mut anew: PerThread<[u32]>,
    mut words: PerThread<[[u32; 4]]>,
    mut slots: Workgroup<[u32; 128]>,
    mut memory: Workgroup<[u32; 1024]>,
) {
    let read = read(g, start, x, wide, m, &mut slots);
    let written = written(g, &mut memory);
    g.each_warp((&read, &written, &mut out, &mut found), |w, (read, written, mut out, mut found)| {
        w.each(
            (read, written, out.elements_mut(), found.elements_mut()),
            |_, (read, written, out, found)| {
                if let (Some(out), Some(found)) = (out, found) {
                    (*out, *found) = (*read, *written);
                }
            },
        );
    });
    g.each_warp((&mut anew, &mut words), |w, (mut anew, mut words)| {
        w.each(anew.elements_new(), |t, anew| {
            if let Some(anew) = anew {
                *anew += t.index() as u32 + 3;
            }
        });
        w.each(words.elements_new().deinterleaved(), |t, words| {
            if let Some(words) = words {
                words[1] = t.index() as u32;
                words[3] = t.lane() as u32;
            }
        });
    });
}

/// What lanes get of each view where threads have columns and rows.
#[gpu_kernel(requires = start < x.len())]
fn in_rectangles(
    g: &Group,
    start: usize,
    x: &[u32],
    wide: &[[u32; 4]],
    m: &Matrix<u32>,
    mut out: PerThread<Matrix<[u32; 12]>>,
    mut found: PerThread<Matrix<[u32; 4]>>,
    mut mirrored: PerThread<Matrix<u32>, Transposed>,
    mut slots: Workgroup<[u32; 128]>,
    mut memory: Workgroup<[u32; 1024]>,
) {
    let read = read(g, start, x, wide, m, &mut slots);
    let written = written(g, &mut memory);
    g.each_warp((&read, &written, &mut out, &mut found), |w, (read, written, mut out, mut found)| {
        w.each(
            (read, written, out.elements_mut(), found.elements_mut()),
            |_, (read, written, out, found)| {
                if let (Some(out), Some(found)) = (out, found) {
                    (*out, *found) = (*read, *written);
                }
            },
        );
    });
    g.each_warp(&mut mirrored, |w, mut mirrored| {
        w.each(mirrored.elements_mut(), |t, mirrored| {
            if let Some(mirrored) = mirrored {
                *mirrored = 1000 * t.row() as u32 + t.col() as u32;
            }
        });
    });
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;
    use gridwright::prelude::*;

    use super::{in_rectangles, in_rows};
    use crate::device;

    /// What is read.
    struct Input {
        start: usize,
        x: Vec<u32>,
        wide: Vec<[u32; 4]>,
        /// Of rows of so many.
        m: Vec<u32>,
        cols: usize,
    }

    impl Input {
        fn new(start: usize, len: usize) -> Self {
            let number = |i: usize| (i * 37 % 101) as u32;
            Self {
                start,
                x: (0..len).map(number).collect(),
                wide: (0..len).map(|i| [0, 1, 2, 3].map(|word| number(4 * i + word))).collect(),
                m: (0..3 * len).map(|i| number(i + 7)).collect(),
                cols: len,
            }
        }

        /// What the thread of a number in its group reads, in warps of so many lanes.
        fn read(&self, number: usize, lanes: usize) -> [u32; 12] {
            let Self { start, x, wide, m, cols } = self;
            let lane = number % lanes;
            let at = |i: usize| x.get(i).copied();
            let slot = |i: usize| at(i).unwrap_or(0);
            let row = &m[*cols..2 * cols];
            let mut last = 3 * at(start + lane).unwrap_or(1);
            loop {
                last += lane as u32;
                if last.is_multiple_of(2) || lane.is_multiple_of(2) {
                    break;
                }
            }
            [
                at(start + lane).unwrap_or(9),
                wide.get(start + lane).map_or(9, |wide| wide.iter().sum()),
                row.get(2 + lane).copied().unwrap_or(9),
                slot(lane),
                slot(127 - lane),
                slot(2 * lane),
                slot(lane / 8 * 9 + lane % 8),
                if lane < 5 { slot(lane) + 1 } else { 0 },
                slot(lane + 1),
                at(start + lane + 1).unwrap_or(9) * 2 + lane as u32,
                lanes as u32,
                last + slot(lane),
            ]
        }
    }

    /// What it finds, in a group of so many threads, of the number `group`.
    fn found(group: usize, number: usize, threads: usize, index: usize, lanes: usize) -> [u32; 4] {
        let (first, lane) = (number / lanes * lanes, number % lanes);
        let there = lanes.min(threads - first);
        [lane + 100 * group, there - 1 - lane + 100 * group, there, index].map(|value| value as u32)
    }

    #[test]
    fn lanes_get_what_is_theirs_in_groups_of_several_warps() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = in_rows::load(&device)?;
        for block in [96, 72, 64, 32, 7] {
            // Some warps have an element for each lane, others don't.
            for (start, len) in [(0, 200), (1, 3), (5, 40), (30, 66)] {
                let input = Input::new(start, len);
                let threads = 2 * block + block / 2;
                let (x, wide) = (stream.upload(&input.x)?, stream.upload(&input.wide)?);
                let m = stream.upload_matrix(3, input.cols, &input.m)?;
                let mut out = stream.alloc_zeroed::<[u32; 12]>(threads)?;
                let mut found = stream.alloc_zeroed::<[u32; 4]>(threads)?;
                let mut anew = stream.upload(&vec![u32::MAX; threads])?;
                let mut words = stream.upload(&vec![[u32::MAX; 4]; threads])?;
                let arguments = (start, &x, &wide, &m, &mut out, &mut found, &mut anew, &mut words);
                kernel.launch(&stream, LaunchConfig::threads(threads).block(block), arguments)?;
                let (out, found) = (stream.download(&out)?, stream.download(&found)?);
                let lanes = out[0][10] as usize;
                for (i, (out, found)) in out.iter().zip(&found).enumerate() {
                    let what = format!("thread {i}, groups of {block}, {len} elements from {start} on");
                    let (group, number) = (i / block, i % block);
                    assert_eq!(*out, input.read(number, lanes), "{what}");
                    assert_eq!(*found, self::found(group, number, block, i, lanes), "{what}");
                }
                let anew = stream.download(&anew)?;
                assert!(anew.iter().copied().eq(3..threads as u32 + 3), "groups of {block}: {anew:?}");
                for (i, words) in stream.download(&words)?.into_iter().enumerate() {
                    let lane = i % block % lanes;
                    assert_eq!(words, [0, i as u32, 0, lane as u32], "thread {i}, groups of {block}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn lanes_get_what_is_theirs_in_groups_of_several_rows() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let kernel = in_rectangles::load(&device)?;
        for (block_rows, block_cols) in [(2, 48), (6, 16), (2, 64), (3, 32), (12, 5)] {
            for (start, len) in [(0, 200), (5, 40), (30, 66)] {
                let input = Input::new(start, len);
                let (rows, cols) = (block_rows + 1, 2 * block_cols - 1);
                let (x, wide) = (stream.upload(&input.x)?, stream.upload(&input.wide)?);
                let m = stream.upload_matrix(3, input.cols, &input.m)?;
                let mut out = stream.alloc_matrix_zeroed::<[u32; 12]>(rows, cols)?;
                let mut found = stream.alloc_matrix_zeroed::<[u32; 4]>(rows, cols)?;
                let mut mirrored = stream.alloc_matrix_zeroed(cols, rows)?;
                let config = LaunchConfig::for_matrix(rows, cols).block((block_cols, block_rows));
                let arguments = (start, &x, &wide, &m, &mut out, &mut found, &mut mirrored);
                kernel.launch(&stream, config, arguments)?;
                let (out, found) = (stream.download(&out)?, stream.download(&found)?);
                let mirrored = stream.download(&mirrored)?;
                let lanes = out[0][10] as usize;
                for i in 0..rows * cols {
                    let (row, col) = (i / cols, i % cols);
                    let what = format!("row {row}, column {col}, groups of {block_rows} by {block_cols}");
                    let number = row % block_rows * block_cols + col % block_cols;
                    let group = row / block_rows * 2 + col / block_cols;
                    let index = row * 2 * block_cols + col;
                    assert_eq!(out[i], input.read(number, lanes), "{what}, {len} elements from {start} on");
                    let expected = self::found(group, number, block_rows * block_cols, index, lanes);
                    assert_eq!(found[i], expected, "{what}");
                    assert_eq!(mirrored[col * rows + row], (1000 * row + col) as u32, "{what}");
                }
            }
        }
        Ok(())
    }
}
