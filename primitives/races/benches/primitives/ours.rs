//! Ours, on buffers of its own.

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::Add;
use gridwright_primitives::source::Slice;
use gridwright_primitives::{Error, Primitives};

use crate::algorithm::Algorithm;
use crate::arena::Arena;
use crate::contestant::Contestant;
use crate::value::{self, Number, Pair};

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
}

/// Calls with the instances for a type.
pub(crate) trait Value: value::Value + KernelArg {
    fn reduce(on: On<'_>, x: &Buffer<Self>) -> Result<Self, Error>;
}

macro_rules! instances {
    ($($type:ident $add:ident)*) => {$(
        instance! { impl primitives::Reduce<Slice<$type>, $add> for Races; }

        impl Value for $type {
            fn reduce(on: On<'_>, x: &Buffer<Self>) -> Result<Self, Error> {
                on.reduce(x, Self::default(), $add)
            }
        }
    )*};
}

instances! { u32 Add u64 Add f32 Add f64 Add Pair AddPairs }

/// All but histograms and the sort of pairs.
pub(crate) fn enter<T: Value>(
    device: &Device,
    algorithm: Algorithm,
    arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    let stream = device.stream()?;
    let x = stream.upload(&arena.x)?;
    let ours = Contestant::new(NAME);
    Ok(match algorithm {
        Algorithm::Reduce => Some(ours.fallible_way("reduce", move |arena| {
            let sum = T::reduce(on(&stream), &x)?;
            Ok(arena.keep_sum(sum))
        })),
        _ => None,
    })
}

/// The sort of keys with values.
pub(crate) fn enter_pairs(
    _device: &Device,
    _arena: &Arena<Pair>,
) -> anyhow::Result<Option<Contestant<'static, Pair>>> {
    Ok(None)
}

pub(crate) fn enter_histogram<T: Number>(
    _device: &Device,
    _arena: &Arena<T>,
) -> anyhow::Result<Option<Contestant<'static, T>>> {
    Ok(None)
}

fn on(stream: &Stream) -> On<'_> {
    primitives::on(stream).with_kernels()
}
