//! A random case: what is drawn for it, and how its calls run.

use std::fmt::{Debug, Display, Write};

use gridwright::prelude::*;
use gridwright_primitives::{self as primitives, Error, Primitives, SortOrder, Workspace};

use super::CASES;
use crate::random::Random;

/// Ends of warps, of groups, and of the algorithms' tiles.
const BORDERS: [u64; 18] =
    [32, 64, 128, 256, 384, 512, 768, 1024, 1280, 2048, 2304, 3072, 4096, 4608, 6144, 8064, 8192, 16_128];

/// Where a case's calls have their temporary memory from.
#[derive(Clone, Copy, Debug)]
enum Memory {
    Stream,
    Workspace,
    /// First one that is too small, which is an error.
    SmallWorkspace,
}

/// A case of a number, which it is drawn from.
pub(crate) struct Case<'s> {
    pub(crate) stream: &'s Stream,
    pub(crate) random: Random,
    number: u64,
    memory: Memory,
    looks_back: bool,
    /// What was drawn, for who reads of its failure.
    drawn: String,
}

impl<'s> Case<'s> {
    pub(crate) fn new(stream: &'s Stream, number: u64) -> Self {
        // Cases with neighbouring numbers have nothing in common.
        let mut random = Random(Random(number).next());
        let memory = [Memory::Stream, Memory::Stream, Memory::Workspace, Memory::SmallWorkspace];
        let memory = memory[random.below(4) as usize];
        let looks_back = random.below(4) > 0;
        Self { stream, random, number, memory, looks_back, drawn: String::new() }
    }

    /// Notes something that was drawn.
    pub(crate) fn note(&mut self, what: impl Display) {
        write!(self.drawn, "{what}, ").unwrap();
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }

    /// True in one of so many cases.
    pub(crate) fn once_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A number of elements: mostly few, or about a border.
    pub(crate) fn len(&mut self) -> usize {
        let len = match self.below(64) {
            0..4 => self.below(2),
            4..28 => self.below(100),
            28..44 => self.one_of(&BORDERS) * (1 + self.below(16) / 15) + self.below(3) - 1,
            44..60 => self.below(3000),
            60..63 => self.below(20_000),
            _ => self.below(if self.is_cpu() { 200_000 } else { 40_000 }),
        };
        self.note(format_args!("{len} elements"));
        len as usize
    }

    pub(crate) fn is_cpu(&self) -> bool {
        self.stream.device().kind() == gridwright::DeviceKind::Cpu
    }

    /// An order of keys, its direction, and its bits.
    pub(crate) fn order(&mut self, width: u32) -> (SortOrder, bool, std::ops::Range<u32>) {
        let is_descending = self.once_in(2);
        let order = if is_descending { SortOrder::descending() } else { SortOrder::ascending() };
        let [a, b] = [(); 2].map(|()| self.below(u64::from(width) + 1) as u32);
        let (order, bits) = if self.once_in(2) { (order, 0..width) } else { (order.bits(a..b), a.min(b)..b) };
        self.note(format_args!("{order:?}"));
        (order, is_descending, bits)
    }

    fn set<'p>(&self, p: Primitives<'p>) -> Primitives<'p> {
        if self.looks_back { p } else { p.without_look_back() }
    }

    /// Runs a call in the memory that was drawn.
    pub(crate) fn run<K, R>(&self, mut call: impl FnMut(Primitives<'_, K>) -> Result<R, Error>) -> R {
        self.run_one(&mut call)
    }

    /// The call isn't known here, so that it is compiled once.
    fn run_one<K, R>(&self, call: &mut dyn FnMut(Primitives<'_, K>) -> Result<R, Error>) -> R {
        let p = self.set(primitives::on(self.stream));
        if let Memory::Stream = self.memory {
            return call(p.with_kernels()).unwrap();
        }
        let measured = |p: &Primitives<'_>| call(self.set(*p).with_kernels()).map(drop);
        let workspace = Workspace::for_calls(self.stream, measured).unwrap();
        if let (Memory::SmallWorkspace, 1..) = (self.memory, workspace.bytes()) {
            let small = Workspace::new(self.stream, workspace.bytes() - 64).unwrap();
            let refused = call(p.in_workspace(&small).with_kernels()).map(drop);
            assert!(matches!(refused, Err(Error::Workspace { .. })), "{refused:?} in a small workspace");
        }
        call(p.in_workspace(&workspace).with_kernels()).unwrap()
    }

    /// Compares bit by bit.
    pub(crate) fn compare<T: KernelArg + Debug>(&self, what: &str, found: &[T], expected: &[T]) {
        assert_eq!(found.len(), expected.len(), "the length of {what}");
        let differs = |(a, b): (&T, &T)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b);
        if let Some(at) = found.iter().zip(expected).position(differs) {
            panic!("{what}: element {at} is {:?} where {:?} is expected", found[at], expected[at]);
        }
    }
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { number, memory, looks_back, drawn, stream, .. } = self;
            eprintln!(
                "case {number} on {}: {drawn}memory: {memory:?}, look-back: {looks_back}; {CASES}={number}..{} runs it alone",
                stream.device().name(),
                *number + 1,
            );
        }
    }
}
