//! Options by the formula of Black and Scholes.

use gridwright::prelude::*;

use super::Entry;
use crate::races::contestant::{ours, rayon};
use crate::races::loops;
use crate::races::problem::{Array, Problem, Unit, Values};
use gridwright_examples::samples::black_scholes as example;

const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

/// What rayon's pieces may be.
const PIECES: &[usize] = &[4096, 16_384, 65_536];

pub(super) fn enter(device: &Device, len: usize) -> anyhow::Result<Entry> {
    let options = example::options(len, 5347);
    let [price, strike, years] = &options;
    let exact = (0..len).map(|i| example::exactly(price[i], strike[i], years[i], RATE, VOLATILITY));
    let (mut expected, puts): (Vec<f64>, Vec<f64>) = exact.unzip();
    expected.extend(puts);
    let zeros = [Array::zeros(len), Array::zeros(len)];
    let arrays = options.iter().cloned().map(Array::F32).chain(zeros).collect();

    let kernel = example::black_scholes::load(device)?;
    let stream = device.stream()?;
    let [price, strike, years] = [stream.upload(price)?, stream.upload(strike)?, stream.upload(years)?];
    let both = |call: &[f32], put: &[f32]| [call.values(), put.values()].concat();
    Ok(Entry {
        ours: ours(
            device,
            1,
            move |stream| Ok((stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?)),
            move |stream, (call, put)| {
                let arguments = (&price, &strike, &years, RATE, VOLATILITY, call, put);
                kernel.launch(stream, LaunchConfig::threads(len), arguments)
            },
            move |stream, (call, put)| Ok(both(&stream.download(call)?, &stream.download(put)?)),
        )?,
        rayon: rayon(
            1,
            PIECES,
            move || [vec![0.0; len], vec![0.0; len]],
            move |[call, put], piece| loops::price_rayon([RATE, VOLATILITY], &options, [call, put], piece),
            move |[call, put]| both(call, put),
        ),
        problem: Problem {
            subject: "black_scholes",
            size: len,
            launches: 1,
            arrays,
            results: 2,
            scalars: vec![RATE, VOLATILITY],
            expected,
            tolerance: example::MOST,
            work: (len as f64, Unit::Options),
        },
    })
}
