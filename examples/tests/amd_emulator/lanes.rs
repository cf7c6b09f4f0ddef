//! Every operation among the lanes of a warp, asked of a group and of a warp. What is right depends on how many threads a
//! warp has: each thread says of each result whether it is what its place asks for.

use gridwright::prelude::*;

/// A thread's place in its warp.
#[derive(Clone, Copy)]
struct Place {
    /// The number of the warp's first thread in the launch.
    first: usize,
    lane: usize,
    /// How many threads the warp has.
    len: usize,
}

impl Place {
    /// Of the thread with a number in its group of `threads`, in warps of `size`; before the group are others.
    fn new(before: usize, number: usize, size: usize, threads: usize) -> Self {
        let lane = number % size;
        let first = number - lane;
        Self { first: before + first, lane, len: size.min(threads - first) }
    }

    /// The value that a lane begins with; of a lane that isn't there, this thread's own.
    fn value_of(self, lane: usize) -> u32 {
        value(self.first + if lane < self.len { lane } else { self.lane })
    }

    fn value(self) -> u32 {
        self.value_of(self.lane)
    }

    /// Any lane, also one that isn't there.
    fn target(self) -> u32 {
        (self.lane as u32 * 5 + 3) % 80
    }

    /// A bit for each lane whose value is like that.
    fn lanes(self, is: impl Fn(u32) -> bool) -> u64 {
        let mut lanes = 0;
        for lane in 0..self.len {
            lanes |= u64::from(is(self.value_of(lane))) << lane;
        }
        lanes
    }

    /// The sum of the first lanes' values.
    fn sum(self, lanes: usize) -> u64 {
        let mut sum = 0;
        for lane in 0..lanes {
            sum += wide(self.value_of(lane));
        }
        sum
    }
}

/// What the thread with a number in the launch begins with.
fn value(i: usize) -> u32 {
    (i as u32 + 1).wrapping_mul(2_654_435_761) >> 7
}

/// With something in both of its words.
fn wide(value: u32) -> u64 {
    u64::from(value) << 20
}

fn is_odd(value: u32) -> bool {
    value % 2 == 1
}

/// One of three classes, which differ in the upper word only.
fn class(value: u32) -> u64 {
    u64::from(value % 3) << 40
}

fn mark(right: &mut u32, bit: u32, is_right: bool) {
    *right |= u32::from(is_right) << bit;
}

/// What a thread says for whom everything is right, in either kernel.
#[host_only]
const ALL_RIGHT: u32 = (1 << 14) - 1;

/// In a group of two axes, whose threads are counted row after row.
#[gpu_kernel]
fn of_groups(g: &Group, mut right_of: PerThread<Matrix<u32>>) {
    let (size, threads, cols) = (g.warp_size(), g.len(), g.shape().x);
    let warps = g.warps();
    let me = g.map((), |t, ()| {
        let number = t.local().y * cols + t.local().x;
        Place::new(t.group_index() * threads, number, size, threads)
    });
    let mut right = g.map(&me, |t, me| {
        let is_right = t.lane() == me.lane && warps == threads.div_ceil(size);
        u32::from(is_right)
    });
    let values = g.map(&me, |_, me| me.value());
    let odd = g.map(&values, |_, value| is_odd(*value));

    let got = g.shuffle(&values, &g.map(&me, |_, me| me.target()));
    g.each((&mut right, &me, &got), |_, (right, me, got)| {
        mark(right, 1, *got == me.value_of(me.target() as usize));
    });
    let (near, far) = (g.shuffle_xor(&values, 5), g.shuffle_xor(&values, 33));
    g.each((&mut right, &me, &near, &far), |_, (right, me, near, far)| {
        mark(right, 2, *near == me.value_of(me.lane ^ 5));
        mark(right, 3, *far == me.value_of(me.lane ^ 33));
    });
    let (up, down) = (g.shuffle_up(&values, 3), g.shuffle_down(&values, 31));
    g.each((&mut right, &me, &up, &down), |_, (right, me, up, down)| {
        mark(right, 4, *up == me.value_of(me.lane.wrapping_sub(3)));
        mark(right, 5, *down == me.value_of(me.lane + 31));
    });
    let wide_down = g.shuffle_down(&g.map(&values, |_, value| wide(*value)), 1);
    g.each((&mut right, &me, &wide_down), |_, (right, me, down)| {
        mark(right, 6, *down == wide(me.value_of(me.lane + 1)));
    });
    let (ballot, any, all) = (g.ballot(&odd), g.vote_any(&odd), g.vote_all(&odd));
    g.each((&mut right, &me, &ballot, &any, &all), |_, (right, me, ballot, any, all)| {
        let lanes = me.lanes(is_odd);
        mark(right, 7, *ballot == lanes);
        mark(right, 8, *any == (lanes != 0));
        mark(right, 9, *all == (lanes.count_ones() as usize == me.len));
    });
    let same = g.match_any(&g.map(&values, |_, value| class(*value)));
    let sums = g.warp_reduce(&g.map(&values, |_, value| wide(*value)), |a, b| a + b);
    g.each((&mut right, &me, &same, &sums), |_, (right, me, same, sum)| {
        mark(right, 10, *same == me.lanes(|value| class(value) == class(me.value())));
        mark(right, 11, *sum == me.sum(me.len));
    });
    let (count, any, all) = (g.count(&odd), g.any(&odd), g.all(&odd));
    let (some, none) = (g.any(&g.map(&me, |_, me| me.lane + 1 == me.len)), g.any(&g.map((), |_, ()| false)));
    let sum = g.reduce(&g.map(&odd, |_, odd| u64::from(*odd) << 33), |a, b| a + b);
    g.each((&mut right, &me), |_, (right, me)| {
        mark(right, 12, sum == (count as u64) << 33 && any == (count > 0) && all == (count == threads));
        let lanes = me.lanes(is_odd).count_ones() as usize;
        let is_right = if me.len == threads { count == lanes } else { count >= lanes && count <= threads };
        mark(right, 13, is_right && some && !none);
    });
    g.each((&right, right_of.elements_mut()), |_, (right, right_of)| {
        if let Some(right_of) = right_of {
            *right_of = *right;
        }
    });
}

/// In code that each warp runs on its own.
#[gpu_kernel]
fn of_warps(g: &Group, mut right_of: PerThread<[u32]>) {
    let threads = g.len();
    let mut right = g.private(0_u32);
    g.each_warp(&mut right, |w, mut right| {
        let (size, len, index) = (w.size(), w.len(), w.index());
        let me = w.map((), |t, ()| {
            let number = index * size + t.lane();
            Place::new(t.group_index() * threads, number, size, threads)
        });
        w.each((&mut right, &me), |t, (right, me)| {
            mark(right, 0, t.local().x == index * size + me.lane && me.len == len);
        });
        let values = w.map(&me, |_, me| me.value());
        let odd = w.map(&values, |_, value| is_odd(*value));

        let got = w.shuffle(&values, &w.map(&me, |_, me| me.target()));
        w.each((&mut right, &me, &got), |_, (right, me, got)| {
            mark(right, 1, *got == me.value_of(me.target() as usize));
        });
        let (near, far) = (w.shuffle_xor(&values, 5), w.shuffle_xor(&values, 33));
        w.each((&mut right, &me, &near, &far), |_, (right, me, near, far)| {
            mark(right, 2, *near == me.value_of(me.lane ^ 5));
            mark(right, 3, *far == me.value_of(me.lane ^ 33));
        });
        let (up, down) = (w.shuffle_up(&values, 3), w.shuffle_down(&values, 31));
        w.each((&mut right, &me, &up, &down), |_, (right, me, up, down)| {
            mark(right, 4, *up == me.value_of(me.lane.wrapping_sub(3)));
            mark(right, 5, *down == me.value_of(me.lane + 31));
        });
        let (ballot, count, any, all) = (w.ballot(&odd), w.count(&odd), w.any(&odd), w.all(&odd));
        w.each((&mut right, &me), |_, (right, me)| {
            let lanes = me.lanes(is_odd);
            mark(right, 6, ballot == lanes);
            mark(right, 7, count == lanes.count_ones() as usize);
            mark(right, 8, any == (lanes != 0) && all == (lanes.count_ones() as usize == me.len));
        });
        let same = w.match_any(&w.map(&values, |_, value| class(*value)));
        w.each((&mut right, &me, &same), |_, (right, me, same)| {
            mark(right, 9, *same == me.lanes(|value| class(value) == class(me.value())));
        });
        let wides = w.map(&values, |_, value| wide(*value));
        let (sum, last) = (w.reduce(&wides, |a, b| a + b), w.broadcast(&wides, len - 1));
        w.each((&mut right, &me), |_, (right, me)| {
            mark(right, 10, sum == me.sum(me.len));
            mark(right, 11, last == wide(me.value_of(me.len - 1)));
        });
        let up_to = w.scan_inclusive(&wides, |a, b| a + b);
        let before = w.scan_exclusive(&wides, 0, |a, b| a + b);
        w.each((&mut right, &me, &up_to, &before), |_, (right, me, up_to, before)| {
            mark(right, 12, *up_to == me.sum(me.lane + 1));
            mark(right, 13, *before == me.sum(me.lane));
        });
    });
    g.each((&right, right_of.elements_mut()), |_, (right, right_of)| {
        if let Some(right_of) = right_of {
            *right_of = *right;
        }
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::{ALL_RIGHT, of_groups, of_warps};
    use crate::emulator::Emulator;
    use crate::examples::cpu;
    use gridwright::prelude::*;

    fn assert_all_right(said: &[u32]) {
        for (thread, said) in said.iter().enumerate() {
            assert_eq!(*said, ALL_RIGHT, "thread {thread}: {said:#b}");
        }
    }

    #[test]
    fn what_lanes_of_groups_exchange_is_right_in_warps_of_32_and_of_64() {
        let Some(mut emulator) = Emulator::<of_groups>::start() else { return };
        for (rows, cols) in [(1_usize, 1_usize), (3, 11), (10, 10), (32, 32)] {
            let right = vec![0_u32; 2 * rows * cols];
            let config = LaunchConfig::grid((1, 2), (cols, rows));
            let on_the_cpu = || {
                let (device, stream) = cpu()?;
                let mut out = stream.upload_matrix(2 * rows, cols, &right)?;
                of_groups::load(&device)?.launch(&stream, config, (&mut out,))?;
                let said = stream.download(&out)?;
                assert_all_right(&said);
                Ok([said])
            };
            emulator.compare(config, on_the_cpu, |memory| {
                let out = memory.matrix(2 * rows, cols, &right);
                ((out,), [out.pointer])
            });
        }
    }

    #[test]
    fn what_lanes_of_warps_exchange_is_right_in_warps_of_32_and_of_64() {
        let Some(mut emulator) = Emulator::<of_warps>::start() else { return };
        for threads in [1_usize, 33, 100, 1024] {
            let right = vec![0_u32; 2 * threads];
            let config = LaunchConfig::grid(2, threads);
            let on_the_cpu = || {
                let (device, stream) = cpu()?;
                let mut out = stream.upload(&right)?;
                of_warps::load(&device)?.launch(&stream, config, (&mut out,))?;
                let said = stream.download(&out)?;
                assert_all_right(&said);
                Ok([said])
            };
            emulator.compare(config, on_the_cpu, |memory| {
                let out = memory.slice(&right);
                ((out,), [out.pointer])
            });
        }
    }
}
