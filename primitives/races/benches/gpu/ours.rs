//! Our contestants: calls on arrays of their own, by the library's instances.

use std::cell::RefCell;
use std::rc::Rc;

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Add, Equal, Less};
use gridwright_primitives::{Error, Primitives, Workspace};

/// The bins of a histogram.
const BINS: usize = 256;

/// An algorithm on elements of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Algorithm {
    Reduce,
    Scan,
    Select,
    Unique,
    RunLengths,
    Histogram,
    Sort,
    SortWide,
    SortPairs,
    MergeSort,
}

/// A contestant: what is done before each call, the call, and the bytes of its inputs and outputs for each element.
pub(crate) struct Prepared {
    pub(crate) before: Step,
    pub(crate) call: Step,
    pub(crate) bytes: f64,
}

type Step = Box<dyn FnMut(&Stream) -> Result<(), Error>>;

impl Algorithm {
    pub(crate) const ALL: [Self; 10] = [
        Self::Reduce,
        Self::Scan,
        Self::Select,
        Self::Unique,
        Self::RunLengths,
        Self::Histogram,
        Self::Sort,
        Self::SortWide,
        Self::SortPairs,
        Self::MergeSort,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reduce => "reduce u32",
            Self::Scan => "scan u32",
            Self::Select => "select u32",
            Self::Unique => "unique u32",
            Self::RunLengths => "run lengths u32",
            Self::Histogram => "histogram f32",
            Self::Sort => "sort u32",
            Self::SortWide => "sort u64",
            Self::SortPairs => "sort pairs",
            Self::MergeSort => "merge sort u32",
        }
    }

    /// The contestant for so many elements, which look random.
    pub(crate) fn prepare(self, stream: &Stream, len: usize) -> Result<Prepared, Error> {
        let numbers = || (0..len as u32).map(hash);
        let bits = || numbers().map(|x| x >> 31);
        let x = |stream: &Stream| stream.upload(&numbers().collect::<Vec<u32>>());
        let room = || stream.alloc_unset::<u32>(len);
        let mut count = stream.alloc_zeroed::<u64>(1)?;
        match self {
            Self::Reduce => {
                let (x, mut sum) = (x(stream)?, stream.alloc_zeroed(1)?);
                alone(stream, 4.0, move |p| p.reduce_into(&x, 0, Add, (&mut sum).into()))
            }
            Self::Scan => {
                let (x, mut y) = (x(stream)?, room()?);
                alone(stream, 8.0, move |p| p.inclusive_scan(&x, Add, &mut y))
            }
            Self::Select => {
                let flags = stream.upload(&bits().map(|bit| bit as u8).collect::<Vec<u8>>())?;
                let (x, mut y) = (x(stream)?, room()?);
                alone(stream, 7.0, move |p| p.select_flagged_into(&x, &flags, &mut y, &mut count))
            }
            Self::Unique => {
                let (x, mut y) = (stream.upload(&bits().collect::<Vec<u32>>())?, room()?);
                alone(stream, 6.0, move |p| p.unique_into(&x, Equal, &mut y, &mut count))
            }
            Self::RunLengths => {
                let (x, mut y, mut z) = (stream.upload(&bits().collect::<Vec<u32>>())?, room()?, room()?);
                alone(stream, 8.0, move |p| p.run_lengths_into(&x, Equal, &mut y, &mut z, &mut count))
            }
            Self::Histogram => {
                let x: Vec<f32> = numbers().map(|x| (x >> 8) as f32 / (1 << 24) as f32).collect();
                let (x, mut counts) = (stream.upload(&x)?, stream.alloc_zeroed(BINS)?);
                alone(stream, 4.0, move |p| p.histogram_even(&x, 0.0..1.0, &mut counts))
            }
            Self::Sort => in_place(stream, x(stream)?, |p, keys| p.sort(keys)),
            Self::SortWide => {
                let wide = |i: u32| u64::from(hash(i)) << 32 | u64::from(hash(!i));
                let x = stream.upload(&(0..len as u32).map(wide).collect::<Vec<u64>>())?;
                in_place(stream, x, |p, keys| p.sort(keys))
            }
            Self::SortPairs => {
                let mut values = stream.upload(&(0..len as u32).collect::<Vec<u32>>())?;
                let sort = in_place(stream, x(stream)?, move |p, keys| p.sort_pairs(keys, &mut values))?;
                Ok(Prepared { bytes: 16.0, ..sort })
            }
            Self::MergeSort => in_place(stream, x(stream)?, |p, keys| p.merge_sort(keys, Less)),
        }
    }
}

/// A call that doesn't change what it reads.
fn alone(
    stream: &Stream,
    bytes: f64,
    mut call: impl FnMut(Primitives<'_>) -> Result<(), Error> + 'static,
) -> Result<Prepared, Error> {
    let workspace = Workspace::for_calls(stream, |p| call(*p))?;
    Ok(Prepared {
        before: Box::new(|_| Ok(())),
        call: Box::new(move |stream| call(primitives::on(stream).in_workspace(&workspace))),
        bytes,
    })
}

/// A sort of a copy.
fn in_place<T: KernelArg>(
    stream: &Stream,
    from: Buffer<T>,
    mut sort: impl FnMut(Primitives<'_>, &mut Buffer<T>) -> Result<(), Error> + 'static,
) -> Result<Prepared, Error> {
    let mut keys = stream.alloc_unset(from.len())?;
    let workspace = Workspace::for_calls(stream, |p| sort(*p, &mut keys))?;
    let copied = Rc::new(RefCell::new(keys));
    let sorted = Rc::clone(&copied);
    Ok(Prepared {
        before: Box::new(move |stream| Ok(stream.copy(&from, &mut *copied.borrow_mut())?)),
        call: Box::new(move |stream| {
            sort(primitives::on(stream).in_workspace(&workspace), &mut sorted.borrow_mut())
        }),
        bytes: 2.0 * size_of::<T>() as f64,
    })
}

/// A number that looks random: the finalizer of Chris Wellons's `lowbias32`. CUB's are the same.
fn hash(i: u32) -> u32 {
    let x = (i ^ i >> 16).wrapping_mul(0x7feb_352d);
    let x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}
