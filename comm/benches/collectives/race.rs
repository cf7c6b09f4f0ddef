//! The rounds, in each of the ranks.

use std::fs;
use std::time::Instant;

use anyhow::{Context, ensure};

use gridwright::{Buffer, Device, Stream};
use gridwright_comm::{Communicator, ReduceOp, World};

use crate::Options;
use crate::peer::Peer;
use crate::record::{Launch, Row, Time};

/// Bytes of a call, from 4 B to 64 MiB.
const SIZES: [usize; 13] = {
    let mut sizes = [4; 13];
    let mut at = 1;
    while at < sizes.len() {
        sizes[at] = sizes[at - 1] * 4;
        at += 1;
    }
    sizes
};

/// Sizes of a run that only shows that all runs.
const QUICK: [usize; 3] = [4, 4096, 1 << 20];

/// How long a round is at least.
const ROUND_S: f64 = 4e-3;
const ROUNDS: usize = 25;

/// Rounds before, by which the number of calls is found.
const TRIES: usize = 3;

/// What both do.
#[derive(Clone, Copy)]
enum Subject {
    AllReduce,
    PingPong,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let world = World::from_env()?;
    let device = Device::cpu()?;
    let sizes = if options.is_quick { &QUICK[..] } else { &SIZES[..] };
    let largest = sizes.iter().copied().max().unwrap_or_default() / size_of::<f32>();
    let path = options.peer.as_ref().context("--peer isn't given")?;
    let stream = device.stream()?;
    let (x, y) = (stream.upload(&vec![1.0; largest])?, stream.alloc_zeroed::<f32>(largest)?);
    let communicator = world.communicator(&device)?;
    let mut race = Race {
        all: communicator,
        stream,
        x,
        y,
        peer: Peer::load(path)?,
        rounds: if options.is_quick { 1 } else { ROUNDS },
    };
    let library = race.peer.version()?;
    let mut rows = Vec::new();
    for subject in [Subject::AllReduce, Subject::PingPong] {
        for &bytes in sizes {
            rows.push(race.row(subject, bytes)?);
        }
    }
    race.peer.end()?;
    if world.rank() == 0 {
        let path = options.json.as_ref().context("--json isn't given")?;
        let found = Launch { device: device.name().to_owned(), library, rows };
        fs::write(path, serde_json::to_vec(&found)?)?;
    }
    Ok(())
}

struct Race {
    all: Communicator,
    stream: Stream,
    x: Buffer<f32>,
    y: Buffer<f32>,
    peer: Peer,
    rounds: usize,
}

impl Race {
    fn row(&mut self, subject: Subject, bytes: usize) -> anyhow::Result<Row> {
        let len = bytes / size_of::<f32>();
        self.check(subject, len)?;
        let mut calls = 1;
        // As many calls for all ranks: a round's time is that of the slowest.
        while self.rounds > 1 && self.least(subject, len, calls)? < ROUND_S {
            calls *= 2;
        }
        let (mut ours, mut peers) = (Vec::new(), Vec::new());
        for round in 0..self.rounds {
            // Who is first alternates.
            for is_ours in [round % 2 == 0, round % 2 == 1] {
                let seconds = if is_ours {
                    self.timed(|race| race.ours(subject, len, calls))?
                } else {
                    self.timed(|race| race.peers(subject, len, calls))?
                };
                let times = if is_ours { &mut ours } else { &mut peers };
                times.push(seconds * 1e9 / (calls * subject.messages()) as f64);
            }
        }
        Ok(Row {
            call: subject.name().to_owned(),
            ranks: self.all.size(),
            bytes,
            rounds: self.rounds,
            calls,
            ours: Time::of(ours),
            peer: Time::of(peers),
        })
    }

    /// The seconds of C's best of a few tries.
    fn least(&mut self, subject: Subject, len: usize, calls: usize) -> anyhow::Result<f64> {
        let mut least = f64::MAX;
        for _ in 0..TRIES {
            least = least.min(self.timed(|race| race.peers(subject, len, calls))?);
        }
        Ok(least)
    }

    /// Whether both give what they should.
    fn check(&mut self, subject: Subject, len: usize) -> anyhow::Result<()> {
        let expected = vec![subject.expected(self.all.size()); len];
        for is_ours in [true, false] {
            self.stream.fill(&mut self.y, 0.0)?;
            if is_ours {
                self.ours(subject, len, 1)?;
            } else {
                self.peers(subject, len, 1)?;
            }
            let got = self.stream.download(&self.y)?;
            let who = if is_ours { "ours" } else { "C's" };
            ensure!(
                got.get(..len) == Some(&*expected),
                "{who}: {} of {len} elements is wrong",
                subject.name()
            );
        }
        Ok(())
    }

    /// The seconds of the rank that took longest, from when all were there.
    fn timed(&mut self, call: impl FnOnce(&mut Self) -> anyhow::Result<()>) -> anyhow::Result<f64> {
        self.all.barrier(&self.stream)?;
        let start = Instant::now();
        call(self)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut longest = self.stream.upload(&[seconds])?;
        self.all.all_reduce_in_place(&self.stream, &mut longest, ReduceOp::Maximum)?;
        let longest = self.stream.download(&longest)?;
        longest.first().copied().context("a time")
    }

    fn ours(&mut self, subject: Subject, len: usize, calls: usize) -> anyhow::Result<()> {
        let Self { all, stream, x, y, .. } = self;
        let (x, mut y) = (x.slice(..len)?, y.slice_mut(..len)?);
        match subject {
            Subject::AllReduce => {
                for _ in 0..calls {
                    all.all_reduce(stream, &x, &mut y, ReduceOp::Sum)?;
                }
            }
            Subject::PingPong => {
                let (other, is_first) = partner(all.rank());
                for _ in 0..calls {
                    if is_first {
                        all.send(stream, &x, other)?;
                        all.receive(stream, &mut y, other)?;
                    } else {
                        all.receive(stream, &mut y, other)?;
                        all.send(stream, &x, other)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// C's, on the same memory: its pages would make a difference.
    fn peers(&mut self, subject: Subject, len: usize, calls: usize) -> anyhow::Result<()> {
        let Self { all, stream, x, y, peer, .. } = self;
        let (x, mut y) = (x.slice(..len)?, y.slice_mut(..len)?);
        stream.value_on_cpu((&x, &mut y), |_, (x, y)| match subject {
            Subject::AllReduce => peer.all_reduce(x, y, calls),
            Subject::PingPong => {
                let (other, is_first) = partner(all.rank());
                peer.ping_pong(x, y, other, is_first, calls)
            }
        })?
    }
}

/// The rank that messages go to and come from, and who sends first: 0 and 1, 2 and 3.
fn partner(rank: usize) -> (usize, bool) {
    (rank ^ 1, rank.is_multiple_of(2))
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::PingPong => "send/receive",
        }
    }

    /// Messages of one call in the loop, whose time is told: there and back.
    fn messages(self) -> usize {
        match self {
            Self::AllReduce => 1,
            Self::PingPong => 2,
        }
    }

    /// What an element is then.
    fn expected(self, ranks: usize) -> f32 {
        match self {
            Self::AllReduce => ranks as f32,
            Self::PingPong => 1.0,
        }
    }
}
