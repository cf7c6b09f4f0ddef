//! Options by the formula of Black and Scholes, with the kernel of the example: against rayon with std's functions, and against
//! OpenCL, whose runtimes have vectors and functions of their own.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::loops;
use super::machine;
use super::open_cl::{self, Argument};
use gridwright_examples::samples::black_scholes as example;

const LOG_LEN: u32 = 20;
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;
const TERMS: [f32; 2] = [RATE, VOLATILITY];

/// What rayon's pieces may be; the fastest races.
const CHUNKS: [usize; 3] = [4096, 16_384, 65_536];

/// What OpenCL's compilers are told, and how far off results may be: the sample's bound, and one that holds what relaxed functions
/// give, far beyond it.
const COMPILER_OPTIONS: [(&str, f64); 2] = [("", example::MOST), ("-cl-fast-relaxed-math", 1e-3)];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("Black-Scholes, 2^{LOG_LEN}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let len = 1 << LOG_LEN;
    let columns = example::options(len, 5347);
    let stream = device.stream()?;
    let kernel = example::black_scholes::load(device)?;
    let config = LaunchConfig::threads(len);
    let [price, strike, years] = &columns;
    let (on_price, on_strike, on_years) =
        (stream.upload(price)?, stream.upload(strike)?, stream.upload(years)?);
    let (mut call, mut put) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed(len)?);
    let mut ours = |calls: u32| -> anyhow::Result<()> {
        for _ in 0..calls {
            let arguments = (&on_price, &on_strike, &on_years, RATE, VOLATILITY, &mut call, &mut put);
            kernel.launch(&stream, config, arguments)?;
            stream.synchronize()?;
        }
        Ok(())
    };
    ours(1)?;

    let [mut peer_call, mut peer_put] = [vec![0.0; len], vec![0.0; len]];
    loops::price_rayon(TERMS, &columns, [&mut peer_call, &mut peer_put], CHUNKS[0]);
    check("rayon", &columns, [&peer_call, &peer_put], example::MOST)?;
    let chunk = harness.fastest(&CHUNKS, |chunk| {
        loops::price_rayon(TERMS, &columns, [&mut peer_call, &mut peer_put], chunk);
    })?;
    let [mut serial_call, mut serial_put] = [vec![0.0; len], vec![0.0; len]];
    harness.race(Race {
        name: name.clone(),
        peer_name: format!("rayon, std's functions, chunks of {chunk}"),
        ours: Box::new(&mut ours),
        peer: calling(|| loops::price_rayon(TERMS, &columns, [&mut peer_call, &mut peer_put], chunk)),
        serial: Some(calling(|| {
            loops::price(TERMS, [price, strike, years], [&mut serial_call, &mut serial_put]);
        })),
    })?;

    let cpus = open_cl::cpus().unwrap_or_else(|reason| {
        eprintln!("{name} against OpenCL SKIPPED: {reason:#}");
        Vec::new()
    });
    for (cpu, (compiler_options, most)) in
        cpus.iter().flat_map(|cpu| COMPILER_OPTIONS.map(|options| (cpu, options)))
    {
        if cpu.threads != machine::threads() {
            eprintln!("{name} against {} SKIPPED: it has {} threads of its own", cpu.name, cpu.threads);
            continue;
        }
        let mut peer = cpu.kernel(include_str!("black_scholes.cl"), "black_scholes", compiler_options)?;
        let [on_price, on_strike, on_years] = [cpu.upload(price)?, cpu.upload(strike)?, cpu.upload(years)?];
        let [call, put] = [cpu.upload(&vec![0.0; len])?, cpu.upload(&vec![0.0; len])?];
        // SAFETY: a work-item touches the element of its number in each buffer, and there are as many elements as work-items.
        unsafe {
            peer.set(&[
                Argument::Buffer(&on_price),
                Argument::Buffer(&on_strike),
                Argument::Buffer(&on_years),
                Argument::Float(RATE),
                Argument::Float(VOLATILITY),
                Argument::Buffer(&call),
                Argument::Buffer(&put),
            ])?;
        }
        let peer_name = format!("{} {compiler_options}", cpu.name).trim().to_owned();
        peer.launch(len)?;
        let off = check(&peer_name, &columns, [&cpu.download(&call)?, &cpu.download(&put)?], most)?;
        let peer_name =
            if off < example::MOST { peer_name } else { format!("{peer_name}, off by {off:.0e}") };
        harness.race(Race {
            name: name.clone(),
            peer_name,
            ours: Box::new(&mut ours),
            peer: Box::new(move |calls| (0..calls).try_for_each(|_| peer.launch(len))),
            serial: None,
        })?;
    }
    check("ours", &columns, [&stream.download(&call)?, &stream.download(&put)?], example::MOST)?;
    Ok(())
}

/// How far off calls and puts are, the further ones.
///
/// # Errors
/// Where it is `most` or more.
fn check(
    name: &str,
    [price, strike, years]: &[Vec<f32>; 3],
    [call, put]: [&[f32]; 2],
    most: f64,
) -> anyhow::Result<f64> {
    let exact =
        || (0..price.len()).map(|i| example::exactly(price[i], strike[i], years[i], RATE, VOLATILITY));
    let off_call = example::distance(call, exact().map(|(call, _)| call));
    let off_put = example::distance(put, exact().map(|(_, put)| put));
    ensure!(
        off_call < most && off_put < most,
        "Black-Scholes by {name} is off by {off_call:e} and {off_put:e}"
    );
    Ok(off_call.max(off_put))
}
