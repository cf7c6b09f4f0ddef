//! A launch of nothing, waited for, against rayon's fork and join of nothing.

use std::hint::black_box;

use gridwright::prelude::*;

use crate::harness::{Harness, Race, calling};

/// Does nothing.
#[gpu_kernel]
fn nothing(_t: Thread) {}

/// One thread needs nobody's help; the other launch is long enough that the backend shares it out.
const THREADS: [usize; 2] = [1, 1 << 16];

pub(crate) fn race(harness: &mut Harness, device: &Device) -> anyhow::Result<()> {
    let stream = device.stream()?;
    let kernel = nothing::load(device)?;
    for threads in THREADS {
        let name = format!("empty launch, {threads}");
        if !harness.wants(&name) {
            continue;
        }
        harness.race(Race {
            name,
            peer_name: "rayon::join".into(),
            ours: Box::new(|calls| {
                for _ in 0..calls {
                    kernel.launch(&stream, LaunchConfig::threads(threads), ())?;
                    stream.synchronize()?;
                }
                Ok(())
            }),
            peer: calling(|| {
                rayon::join(|| black_box(()), || black_box(()));
            }),
            serial: None,
        })?;
    }
    Ok(())
}
