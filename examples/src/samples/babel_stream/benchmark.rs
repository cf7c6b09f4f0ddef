//! What there is to measure, and in what order.

use std::fmt;
use std::str::FromStr;

/// One of the original's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// c = a.
    Copy,
    /// b = scalar · c.
    Mul,
    /// c = a + b.
    Add,
    /// a = b + scalar · c.
    Triad,
    /// The sum of a · b.
    Dot,
    /// a = a + b + scalar · c.
    Nstream,
}

impl Benchmark {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 6] = [Self::Copy, Self::Mul, Self::Add, Self::Triad, Self::Dot, Self::Nstream];

    /// The original's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "Copy",
            Self::Mul => "Mul",
            Self::Add => "Add",
            Self::Triad => "Triad",
            Self::Dot => "Dot",
            Self::Nstream => "Nstream",
        }
    }

    /// How many elements are read or written for each element of an array.
    pub fn moved(self) -> usize {
        match self {
            Self::Copy | Self::Mul | Self::Dot => 2,
            Self::Add | Self::Triad => 3,
            Self::Nstream => 4,
        }
    }
}

/// Which benchmarks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Each.
    All,
    /// All but [`Nstream`](Benchmark::Nstream).
    Classic,
    /// This one.
    One(Benchmark),
}

impl Selection {
    /// The benchmarks that the selection names, in the order in which they run.
    pub fn benchmarks(self) -> Vec<Benchmark> {
        let is_selected = |benchmark: &Benchmark| match self {
            Self::All => true,
            Self::Classic => *benchmark != Benchmark::Nstream,
            Self::One(one) => *benchmark == one,
        };
        Benchmark::ALL.into_iter().filter(is_selected).collect()
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let one = Benchmark::ALL.into_iter().find(|benchmark| benchmark.name() == name);
        match name {
            "All" => Ok(Self::All),
            "Classic" => Ok(Self::Classic),
            _ => one.map(Self::One).ok_or_else(|| format!("it is All, Classic, {}", names())),
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "All",
            Self::Classic => "Classic",
            Self::One(one) => one.name(),
        })
    }
}

/// The names of all benchmarks.
pub fn names() -> String {
    Benchmark::ALL.map(Benchmark::name).join(",")
}

/// In which order benchmarks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Order {
    /// Each once, and that over and over.
    #[value(name = "Classic")]
    Classic,
    /// Each over and over, then the next; its times are their mean.
    #[value(name = "Isolated")]
    Isolated,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Classic { "Classic" } else { "Isolated" })
    }
}
