//! Random sequences of calls on four ranks, beside a sequential loop over all ranks' memory.

use std::ptr;

use crate::functions::Handle;
use crate::ranks::{Rank, ranks};

const INT32: i32 = 2;
const RANKS: usize = 4;
/// Elements of a rank's memory.
const ELEMENTS: usize = 64;
const ROUNDS: usize = 250;

/// What all ranks do, in the same order.
#[derive(Clone, Copy, Debug)]
enum Step {
    AllReduce {
        operator: i32,
        at: usize,
        count: usize,
    },
    Reduce {
        operator: i32,
        root: usize,
        at: usize,
        count: usize,
    },
    Broadcast {
        root: usize,
        at: usize,
        count: usize,
    },
    AllGather {
        from: usize,
        to: usize,
        count: usize,
    },
    ReduceScatter {
        operator: i32,
        from: usize,
        to: usize,
        count: usize,
    },
    /// Each rank sends to the one so many places on.
    Shift {
        by: usize,
        from: usize,
        to: usize,
        count: usize,
    },
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn step(&mut self) -> Step {
        // Inputs lie in the first half, outputs in the second.
        let half = ELEMENTS / 2;
        let count = 1 + self.below(half / RANKS);
        let (from, to) = (self.below(half - RANKS * count + 1), half + self.below(half - RANKS * count + 1));
        let (operator, root, at) = (self.below(4) as i32, self.below(RANKS), self.below(ELEMENTS - count));
        match self.below(6) {
            0 => Step::AllReduce { operator, at, count },
            1 => Step::Reduce { operator, root, at, count },
            2 => Step::Broadcast { root, at, count },
            3 => Step::AllGather { from, to, count },
            4 => Step::ReduceScatter { operator, from, to, count },
            _ => Step::Shift { by: self.below(RANKS), from, to, count },
        }
    }
}

fn combined(operator: i32, a: i32, b: i32) -> i32 {
    match operator {
        0 => a.wrapping_add(b),
        1 => a.wrapping_mul(b),
        2 => a.max(b),
        _ => a.min(b),
    }
}

/// The step on all ranks' memory.
fn expect(step: Step, memory: &mut [[i32; ELEMENTS]; RANKS]) {
    let before = *memory;
    let all = |operator, at: usize| {
        before.iter().map(|row| row[at]).reduce(|a, b| combined(operator, a, b)).unwrap_or(0)
    };
    for (rank, row) in memory.iter_mut().enumerate() {
        match step {
            Step::AllReduce { operator, at, count } => {
                (at..at + count).for_each(|i| row[i] = all(operator, i));
            }
            Step::Reduce { operator, root, at, count } if rank == root => {
                (at..at + count).for_each(|i| row[i] = all(operator, i));
            }
            Step::Reduce { .. } => {}
            Step::Broadcast { root, at, count } => {
                row[at..at + count].copy_from_slice(&before[root][at..at + count]);
            }
            Step::AllGather { from, to, count } => {
                for (place, other) in row[to..].chunks_mut(count).zip(&before) {
                    place.copy_from_slice(&other[from..from + count]);
                }
            }
            Step::ReduceScatter { operator, from, to, count } => {
                (0..count).for_each(|i| row[to + i] = all(operator, from + rank * count + i));
            }
            Step::Shift { by, from, to, count } => {
                let other = &before[(rank + RANKS - by) % RANKS];
                row[to..to + count].copy_from_slice(&other[from..from + count]);
            }
        }
    }
}

/// The step on a rank.
fn call(rank: &Rank, step: Step, memory: u64, communicator: Handle, stream: Handle) {
    let nccl = &rank.nccl;
    let at = |place: usize| memory + 4 * place as u64;
    // SAFETY: memory of the device's with so many elements.
    let status = unsafe {
        match step {
            Step::AllReduce { operator, at: place, count } => {
                (nccl.all_reduce)(at(place), at(place), count, INT32, operator, communicator, stream)
            }
            Step::Reduce { operator, root, at: place, count } => {
                let root = root as i32;
                (nccl.reduce)(at(place), at(place), count, INT32, operator, root, communicator, stream)
            }
            Step::Broadcast { root, at: place, count } => {
                (nccl.broadcast)(at(place), at(place), count, INT32, root as i32, communicator, stream)
            }
            Step::AllGather { from, to, count } => {
                (nccl.all_gather)(at(from), at(to), count, INT32, communicator, stream)
            }
            Step::ReduceScatter { operator, from, to, count } => {
                (nccl.reduce_scatter)(at(from), at(to), count, INT32, operator, communicator, stream)
            }
            Step::Shift { by, from, to, count } => {
                let [next, previous] = [by, RANKS - by].map(|by| ((rank.rank + by) % RANKS) as i32);
                (nccl.group_start)();
                (nccl.send)(at(from), count, INT32, next, communicator, stream);
                (nccl.receive)(at(to), count, INT32, previous, communicator, stream);
                (nccl.group_end)()
            }
        }
    };
    assert_eq!(status, 0, "{step:?}: {}", nccl.said());
}

#[test]
fn random_sequences_give_what_a_loop_gives() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "100")];
    ranks("random::random_sequences_give_what_a_loop_gives", RANKS, &delays, |rank| {
        let communicator = rank.communicator();
        let streams = [rank.gpu.stream(), ptr::null_mut()];
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for round in 0..ROUNDS {
            let mut expected = [[0; ELEMENTS]; RANKS];
            expected.iter_mut().flatten().for_each(|element| *element = random.below(1000) as i32 - 500);
            let stream = streams[random.below(2)];
            let memory = rank.gpu.alloc(4 * ELEMENTS);
            rank.gpu.write(memory, &expected[rank.rank], stream);
            let steps: Vec<_> = (0..1 + random.below(6)).map(|_| random.step()).collect();
            for &step in &steps {
                expect(step, &mut expected);
                call(&rank, step, memory, communicator, stream);
            }
            let got = rank.gpu.read::<i32>(memory, ELEMENTS, stream);
            assert_eq!(got, expected[rank.rank], "round {round}: {steps:?}");
        }
        rank.end(communicator);
    });
}
