//! Ours, on buffers of its own.

use std::cell::RefCell;
use std::rc::Rc;

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Add, Equal};
use gridwright_primitives::source::{Map, Slice};
use gridwright_primitives::{Error, EvenBins, First, If, NoValue, Primitives};

use crate::algorithm::Algorithm;
use crate::arena::{Arena, UPPER, columns_mut};
use crate::contestant::Contestant;
use crate::value::{self, Number, Pair, Value as _};

pub(crate) const NAME: &str = "Gridwright";

/// This program's instances of kernels. It has no code for GPUs, and the CPU needs none.
#[expect(unreachable_pub, reason = "instances name it in what they make public")]
pub struct Races;

type On<'s> = Primitives<'s, Races>;

operator! {
    /// The sums of keys and of values.
    pub struct AddPairs = |a: Pair, b: Pair| -> Pair {
        Pair { key: a.key.wrapping_add(b.key), value: a.value.wrapping_add(b.value) }
    };

    /// Whether keys and values are equal.
    pub struct EqualPairs = |a: Pair, b: Pair| -> bool { a.key == b.key && a.value == b.value };

    pub struct BelowU32 { limit: u32 } = |x: u32| -> bool { x.is_below(limit) };
    pub struct BelowU64 { limit: u64 } = |x: u64| -> bool { x.is_below(limit) };
    pub struct BelowF32 { limit: f32 } = |x: f32| -> bool { x.is_below(limit) };
    pub struct BelowF64 { limit: f64 } = |x: f64| -> bool { x.is_below(limit) };
    pub struct BelowPair { limit: Pair } = |x: Pair| -> bool { x.is_below(limit) };
}

/// Calls with the instances for a type.
pub(crate) trait Value: value::Value + KernelArg {
    fn reduce(on: On<'_>, x: &Buffer<Self>) -> Result<Self, Error>;
    fn scan(on: On<'_>, x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<(), Error>;
    fn select(on: On<'_>, x: &Buffer<Self>, limit: Self, y: &mut Buffer<Self>) -> Result<usize, Error>;
    fn unique(on: On<'_>, x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<usize, Error>;
}

/// Calls with the instances for a type of numbers.
pub(crate) trait NumberValue: Number + Value {
    fn sort(on: On<'_>, x: &mut Buffer<Self>) -> Result<(), Error>;
    fn histogram(on: On<'_>, x: &Buffer<Self>, bins: &mut Buffer<u32>) -> Result<(), Error>;
}

macro_rules! instances {
    ($($type:ident $add:ident $equal:ident $below:ident;)*) => {$(
        instance! { impl primitives::Reduce<Slice<$type>, $add> for Races; }
        instance! { impl primitives::Scan<Slice<$type>, $add> for Races; }
        instance! { impl primitives::Select<Slice<$type>, If<$below>> for Races; }
        instance! { impl primitives::Select<Slice<$type>, First<$equal>> for Races; }

        impl Value for $type {
            fn reduce(on: On<'_>, x: &Buffer<Self>) -> Result<Self, Error> {
                on.reduce(x, Self::default(), $add)
            }

            fn scan(on: On<'_>, x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<(), Error> {
                on.inclusive_scan(x, $add, y)
            }

            fn select(
                on: On<'_>,
                x: &Buffer<Self>,
                limit: Self,
                y: &mut Buffer<Self>,
            ) -> Result<usize, Error> {
                on.select(x, $below { limit }, y)
            }

            fn unique(on: On<'_>, x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<usize, Error> {
                on.unique(x, $equal, y)
            }
        }
    )*};
}

instances! {
    u32 Add Equal BelowU32;
    u64 Add Equal BelowU64;
    f32 Add Equal BelowF32;
    f64 Add Equal BelowF64;
    Pair AddPairs EqualPairs BelowPair;
}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        instance! { impl primitives::Sort<$type, NoValue> for Races; }
        instance! { impl primitives::Histogram<Map<Slice<$type>, EvenBins<$type>>> for Races; }

        impl NumberValue for $type {
            fn sort(on: On<'_>, x: &mut Buffer<Self>) -> Result<(), Error> {
                on.sort(x)
            }

            fn histogram(on: On<'_>, x: &Buffer<Self>, bins: &mut Buffer<u32>) -> Result<(), Error> {
                on.histogram_even(x, Self::of(0)..Self::of(UPPER), bins)
            }
        }
    )*};
}

numbers! { u32 u64 f32 f64 }

instance! { impl primitives::Sort<u32, u32> for Races; }

/// All but histograms and sorts.
pub(crate) fn enter<T: Value>(
    device: &Device,
    algorithm: Algorithm,
    arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    let stream = device.stream()?;
    let x = stream.upload(&arena.x)?;
    let ours = Contestant::new(NAME);
    if algorithm == Algorithm::Reduce {
        return Ok(Some(ours.fallible_way("reduce", move |arena| {
            let sum = <T as Value>::reduce(on(&stream), &x)?;
            Ok(arena.keep_sum(sum))
        })));
    }
    // What calls write, and what comes before and after them reads and writes too.
    let y = Rc::new(RefCell::new(stream.upload(&arena.x)?));
    let (called, fetched) = (Rc::clone(&y), y);
    let fetching = stream.clone();
    let limit = arena.limit;
    let ours = match algorithm {
        Algorithm::Scan => ours.fallible_way("inclusive_scan", move |arena| {
            <T as Value>::scan(on(&stream), &x, &mut called.borrow_mut())?;
            Ok(arena.x.len())
        }),
        Algorithm::Select => ours.fallible_way("select", move |_| {
            Ok(<T as Value>::select(on(&stream), &x, limit, &mut called.borrow_mut())?)
        }),
        Algorithm::Unique => ours.fallible_way("unique", move |_| {
            Ok(<T as Value>::unique(on(&stream), &x, &mut called.borrow_mut())?)
        }),
        Algorithm::Reduce | Algorithm::Sort | Algorithm::Histogram => return Ok(None),
    };
    Ok(Some(ours.after(move |arena| Ok(fetching.copy_to_slice(&*fetched.borrow(), &mut arena.y)?))))
}

/// The sort of numbers.
pub(crate) fn enter_sort<T: NumberValue>(
    device: &Device,
    arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    let stream = device.stream()?;
    let x = stream.upload(&arena.x)?;
    let y = Rc::new(RefCell::new(stream.upload(&arena.x)?));
    let (called, refilled, fetched) = (Rc::clone(&y), Rc::clone(&y), y);
    let (refilling, fetching) = (stream.clone(), stream.clone());
    let ours = Contestant::new(NAME)
        .fallible_way("sort", move |arena| {
            <T as NumberValue>::sort(on(&stream), &mut called.borrow_mut())?;
            Ok(arena.x.len())
        })
        .before(move |_| Ok(refilling.copy(&x, &mut *refilled.borrow_mut())?))
        .after(move |arena| Ok(fetching.copy_to_slice(&*fetched.borrow(), &mut arena.y)?));
    Ok(Some(ours))
}

/// The sort of keys with values.
pub(crate) fn enter_pairs(
    device: &Device,
    arena: &Arena<Pair>,
) -> anyhow::Result<Option<Contestant<'static, Pair>>> {
    let stream = device.stream()?;
    let keys: Vec<u32> = arena.x.iter().map(|pair| pair.key).collect();
    let values: Vec<u32> = arena.x.iter().map(|pair| pair.value).collect();
    let both = || anyhow::Ok((stream.upload(&keys)?, stream.upload(&values)?));
    let (x, y) = (both()?, Rc::new(RefCell::new(both()?)));
    let (called, refilled, fetched) = (Rc::clone(&y), Rc::clone(&y), y);
    let (refilling, fetching) = (stream.clone(), stream.clone());
    let ours = Contestant::new(NAME)
        .fallible_way("sort_pairs", move |arena| {
            let (keys, values) = &mut *called.borrow_mut();
            on(&stream).sort_pairs(keys, values)?;
            Ok(arena.x.len())
        })
        .before(move |_| {
            let (keys, values) = &mut *refilled.borrow_mut();
            refilling.copy(&x.0, keys)?;
            Ok(refilling.copy(&x.1, values)?)
        })
        .after(move |arena| {
            let (keys, values) = columns_mut(&mut arena.y);
            fetching.copy_to_slice(&fetched.borrow().0, keys)?;
            fetching.copy_to_slice(&fetched.borrow().1, values)?;
            arena.rows_of_columns();
            Ok(())
        });
    Ok(Some(ours))
}

pub(crate) fn enter_histogram<T: NumberValue>(
    device: &Device,
    arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    let stream = device.stream()?;
    let x = stream.upload(&arena.x)?;
    let bins = Rc::new(RefCell::new(stream.upload(&arena.bins)?));
    let (called, fetching) = (Rc::clone(&bins), stream.clone());
    let ours = Contestant::new(NAME)
        .fallible_way("histogram", move |_| {
            <T as NumberValue>::histogram(on(&stream), &x, &mut called.borrow_mut())?;
            Ok(0)
        })
        .after(move |arena| Ok(fetching.copy_to_slice(&*bins.borrow(), &mut arena.bins)?));
    Ok(Some(ours))
}

fn on(stream: &Stream) -> On<'_> {
    primitives::on(stream).with_kernels()
}
