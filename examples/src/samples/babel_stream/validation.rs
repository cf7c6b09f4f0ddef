//! Whether the arrays hold what they must, by the original's rules.
//!
//! With [`Nstream`](Benchmark::Nstream) among the others elements grow by 1.92 each time. After a hundred times the sum of `f32` is
//! infinite, which is as wrong here as it is there.

use super::arrays::Contents;
use super::benchmark::{Benchmark, Order};
use super::kernels::Element;

/// How many units in the last place of 1 an element may be off, relative to the larger of what it is and what it should be.
const OF_ELEMENTS: f64 = 100.0;

/// How many units in the last place of 1 the sum may be off, whose terms are added in no certain order.
const OF_SUM: f64 = 1e7;

/// How many wrong elements are told.
const MOST_TOLD: usize = 10;

/// Elements that can be compared.
pub trait Compared: Element + Into<f64> {
    /// The distance from 1 to the next number.
    const UNIT: f64;

    /// The nearest to a number.
    fn nearest(number: usize) -> Self;
}

impl Compared for f32 {
    const UNIT: f64 = f32::EPSILON as f64;

    fn nearest(number: usize) -> Self {
        number as Self
    }
}

impl Compared for f64 {
    const UNIT: f64 = f64::EPSILON;

    fn nearest(number: usize) -> Self {
        number as Self
    }
}

/// What one element of each array, and the sum, should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected<T> {
    /// Of `a`.
    pub a: T,
    /// Of `b`.
    pub b: T,
    /// Of `c`.
    pub c: T,
    /// What `dot` gives.
    pub sum: T,
}

impl<T: Compared> Expected<T> {
    /// After so many times of each benchmark on arrays of `len` elements.
    pub fn after(benchmarks: &[Benchmark], order: Order, times: usize, len: usize) -> Self {
        let mut expected = Self { a: T::START_A, b: T::START_B, c: T::START_C, sum: T::ZERO };
        match order {
            Order::Classic => {
                (0..times).for_each(|_| benchmarks.iter().for_each(|&each| expected.run(each, len)));
            }
            Order::Isolated => {
                benchmarks.iter().for_each(|&each| (0..times).for_each(|_| expected.run(each, len)));
            }
        }
        expected
    }

    fn run(&mut self, benchmark: Benchmark, len: usize) {
        match benchmark {
            Benchmark::Copy => self.c = self.a,
            Benchmark::Mul => self.b = T::SCALAR * self.c,
            Benchmark::Add => self.c = self.a + self.b,
            Benchmark::Triad => self.a = self.b + T::SCALAR * self.c,
            Benchmark::Nstream => self.a = self.a + (self.b + T::SCALAR * self.c),
            Benchmark::Dot => self.sum = self.a * self.b * T::nearest(len),
        }
    }

    /// What is wrong: a sentence for each of the first few wrong values, and how many there are.
    pub fn wrong(&self, contents: &Contents<T>, sum: Option<T>) -> (Vec<String>, usize) {
        let mut wrong = Wrong { told: Vec::new(), count: 0 };
        if let Some(sum) = sum {
            wrong.compare(|| "the sum".into(), sum, self.sum, OF_SUM);
        }
        let arrays = [("a", &contents.a, self.a), ("b", &contents.b, self.b), ("c", &contents.c, self.c)];
        for (name, array, expected) in arrays {
            for (i, &is) in array.iter().enumerate() {
                wrong.compare(|| format!("{name}[{i}]"), is, expected, OF_ELEMENTS);
            }
        }
        (wrong.told, wrong.count)
    }
}

struct Wrong {
    told: Vec<String>,
    count: usize,
}

impl Wrong {
    fn compare<T: Compared>(&mut self, name: impl FnOnce() -> String, is: T, should: T, units: f64) {
        let (is, should): (f64, f64) = (is.into(), should.into());
        let largest = is.abs().max(should.abs());
        // Not the other way round: a comparison with what isn't a number is false.
        let is_right = (is - should).abs() <= largest * units * T::UNIT;
        if !is_right {
            self.count += 1;
            if self.told.len() < MOST_TOLD {
                self.told.push(format!("{} is {is:e} instead of {should:e}", name()));
            }
        }
    }
}
