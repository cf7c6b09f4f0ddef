//! Random sequences of calls, against the same on one rank's own memory.

use gridwright::prelude::*;
use gridwright::random::Philox;
use gridwright_comm::{Communicator, Error, ReduceOp, World};

use crate::launch::Ranks;

/// How many sequences.
const CASES: &str = "GRIDWRIGHT_TEST_COMM_CASES";

/// Calls of a sequence, at most.
const CALLS: u32 = 12;

#[test]
fn random_sequences_of_calls_give_what_one_rank_gets() {
    let cases = std::env::var(CASES).unwrap_or_else(|_| "1000".into());
    for checks in ["0", "1"] {
        let ranks = Ranks::new(4, "random::sequences").with("GRIDWRIGHT_COMM_CHECKS", checks);
        ranks.with(CASES, cases.clone()).succeed();
    }
}

/// Random numbers that are the same on all ranks.
struct Random(Philox);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0.next_u32() % end
    }
}

#[test]
#[ignore = "a program of ranks"]
fn sequences() -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    let cases: u64 = std::env::var(CASES).unwrap().parse().unwrap();
    for case in 0..cases {
        sequence(&communicator, &stream, case)?;
    }
    Ok(())
}

/// The elements of all ranks, as every rank computes them for itself, and its own, which went through the calls.
fn sequence(communicator: &Communicator, stream: &Stream, case: u64) -> Result<(), Error> {
    let (rank, size) = (communicator.rank(), communicator.size());
    let mut random = Random(Philox::new(case, 0));
    let len = 1 + random.below(40) as usize;
    let start = |rank: usize| (0..len * size).map(move |i| (rank * 1000 + i) as u32).collect::<Vec<_>>();
    let mut all: Vec<_> = (0..size).map(start).collect();
    let mut x = stream.upload(&all[rank])?;
    for call in 0..=random.below(CALLS) {
        let root = random.below(size as u32) as usize;
        let op = [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Minimum, ReduceOp::Maximum]
            [random.below(4) as usize];
        let what = random.below(8);
        match what {
            0 => {
                communicator.all_reduce_in_place(stream, &mut x, op)?;
                all = vec![reduced(&all, op); size];
            }
            1 => {
                let mut y = stream.alloc_zeroed(x.len())?;
                communicator.reduce(stream, &x, &mut y, op, root)?;
                if rank == root {
                    x = y;
                }
                all[root] = reduced(&all, op);
            }
            2 => {
                communicator.broadcast(stream, &mut x, root)?;
                all = vec![all[root].clone(); size];
            }
            3 => {
                let mut y = stream.alloc_zeroed(x.len())?;
                communicator.all_gather(stream, &x.slice(..len)?, &mut y)?;
                x = y;
                all = vec![all.iter().flat_map(|of| of[..len].to_vec()).collect(); size];
            }
            4 => {
                let mut y = stream.alloc_zeroed::<u32>(len)?;
                communicator.reduce_scatter(stream, &x, &mut y, op)?;
                stream.copy(&y, &mut x.slice_mut(..len)?)?;
                let whole = reduced(&all, op);
                for (rank, of) in all.iter_mut().enumerate() {
                    of[..len].copy_from_slice(&whole[rank * len..(rank + 1) * len]);
                }
            }
            5 => {
                let mut y = stream.alloc_zeroed(x.len())?;
                communicator.all_to_all(stream, &x, &mut y)?;
                x = y;
                let part = |from: &Vec<u32>, to: usize| from[to * len..(to + 1) * len].to_vec();
                all = (0..size).map(|to| all.iter().flat_map(|from| part(from, to)).collect()).collect();
            }
            6 => {
                let counts: Vec<Vec<usize>> = (0..size)
                    .map(|_| (0..size).map(|_| random.below(len as u32 + 1) as usize).collect())
                    .collect();
                let received: Vec<_> = counts.iter().map(|to| to[rank]).collect();
                let mut y = stream.alloc_zeroed(received.iter().sum())?;
                let sent: usize = counts[rank].iter().sum();
                communicator.all_to_all_v(stream, &x.slice(..sent)?, &counts[rank], &mut y, &received)?;
                let got: usize = received.iter().sum();
                stream.copy(&y, &mut x.slice_mut(..got)?)?;
                let part = |from: usize, to: usize| {
                    let start: usize = counts[from][..to].iter().sum();
                    all[from][start..start + counts[from][to]].to_vec()
                };
                let new: Vec<Vec<u32>> =
                    (0..size).map(|to| (0..size).flat_map(|from| part(from, to)).collect()).collect();
                for (of, new) in all.iter_mut().zip(new) {
                    of[..new.len()].copy_from_slice(&new);
                }
            }
            _ => {
                // Everybody to one who is so far away.
                let (to, from) = ((rank + root) % size, (rank + size - root) % size);
                let mut y = stream.alloc_zeroed(x.len())?;
                communicator.group(stream, |messages| {
                    messages.send(&x, to)?;
                    messages.receive(&mut y, from)
                })?;
                x = y;
                all = (0..size).map(|rank| all[(rank + size - root) % size].clone()).collect();
            }
        }
        assert_eq!(stream.download(&x)?, all[rank], "case {case}, call {call}, kind {what}");
    }
    Ok(())
}

fn reduced(all: &[Vec<u32>], op: ReduceOp) -> Vec<u32> {
    let fold = |a: u32, b: u32| match op {
        ReduceOp::Sum => a.wrapping_add(b),
        ReduceOp::Product => a.wrapping_mul(b),
        ReduceOp::Minimum => a.min(b),
        ReduceOp::Maximum => a.max(b),
    };
    let len = all[0].len();
    (0..len).map(|i| all.iter().map(|of| of[i]).reduce(fold).unwrap()).collect()
}
