//! A sum: groups that go through the elements piece by piece, and the collective, against C with OpenMP.

use anyhow::ensure;
use gridwright::prelude::*;

use super::harness::{Harness, Race, calling};
use super::machine;
use super::open_mp::OpenMp;
use gridwright_examples::samples::reduction::collective;

const LOG_LEN: u32 = 22;
const BLOCK: usize = 256;

/// Groups for each of the machine's threads.
const GROUPS: usize = 4;

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let name = format!("reduction, 2^{LOG_LEN}");
    if !harness.wants(&name) {
        return Ok(());
    }
    let open_mp = match OpenMp::compile() {
        Ok(open_mp) => open_mp,
        Err(reason) => {
            eprintln!("{name} SKIPPED: no C compiler with OpenMP: {reason:#}");
            return Ok(());
        }
    };
    // Small whole numbers, whose sums of up to 2²⁴ aren't rounded.
    let x: Vec<f32> = (0..1_usize << LOG_LEN).map(|i| (i % 7) as f32).collect();
    let expected: f64 = x.iter().map(|&x| f64::from(x)).sum();

    let stream = device.stream()?;
    let kernel = collective::load(device)?;
    let groups = GROUPS * machine::threads();
    let config = LaunchConfig::grid(groups, BLOCK);
    let (elements, mut sums) = (stream.upload(&x)?, stream.alloc_zeroed(groups)?);
    kernel.launch(&stream, config, (&elements, &mut sums))?;
    let ours: f64 = stream.download(&sums)?.iter().map(|&sum| f64::from(sum)).sum();
    ensure!(ours == expected, "{name}: ours is {ours}, not {expected}");
    let threads = machine::threads();
    let theirs = open_mp.sum(&x, threads);
    ensure!((theirs - expected).abs() <= 1e-3 * expected, "{name}: the peer is {theirs}, not {expected}");

    harness.race(Race {
        name,
        peer_name: "C with OpenMP".into(),
        ours: Box::new(|calls| {
            for _ in 0..calls {
                kernel.launch(&stream, config, (&elements, &mut sums))?;
                std::hint::black_box(stream.download(&sums)?.iter().sum::<f32>());
            }
            Ok(())
        }),
        peer: calling(|| {
            std::hint::black_box(open_mp.sum(&x, threads));
        }),
        serial: Some(calling(|| {
            std::hint::black_box(open_mp.sum(&x, 1));
        })),
    })
}
