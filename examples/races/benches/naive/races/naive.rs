//! One race: a kernel on memory of the device, and a loop on a slice, which begin with the same elements.

use anyhow::ensure;
use gridwright::memory::ReadFrom;
use gridwright::prelude::*;
use gridwright_measured::harness::{Harness, Race, calling};
use gridwright_measured::record::Row;

/// What all rows share.
pub(crate) struct Naive<'d> {
    pub(crate) device: &'d Device,
    pub(crate) stream: Stream,
    harness: Harness,
    quick: bool,
}

impl<'d> Naive<'d> {
    pub(crate) fn new(device: &'d Device, harness: Harness, quick: bool) -> anyhow::Result<Self> {
        Ok(Self { device, stream: device.stream()?, harness, quick })
    }

    /// Whether the row is wanted: ask before preparing its data.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.harness.wants(name)
    }

    /// A size, and a small one for a quick run.
    pub(crate) fn size(&self, full: usize, small: usize) -> usize {
        if self.quick { small } else { full }
    }

    /// Compares what one call of each makes of the results' memory, and races.
    pub(crate) fn race<B>(
        &mut self,
        name: &str,
        mut results: B,
        agree: impl Fn(&B::Element, &B::Element) -> bool,
        mut launch: impl FnMut(&Stream, &mut B) -> Result<(), gridwright::Error> + Send,
        mut peer: impl FnMut(&mut [B::Element]) + Send,
    ) -> anyhow::Result<()>
    where
        B: ReadFrom + Send,
        B::Element: std::fmt::Debug,
    {
        let stream = &self.stream;
        let mut of_peer = stream.download(&results)?;
        launch(stream, &mut results)?;
        peer(&mut of_peer);
        for (at, (ours, theirs)) in stream.download(&results)?.iter().zip(&of_peer).enumerate() {
            ensure!(agree(ours, theirs), "{name}: element {at} is {ours:?}, and of the peer {theirs:?}");
        }
        self.harness.race(Race {
            name: name.to_owned(),
            peer_name: "rayon".into(),
            ours: Box::new(|calls| {
                for _ in 0..calls {
                    launch(stream, &mut results)?;
                    stream.synchronize()?;
                }
                Ok(())
            }),
            peer: calling(|| peer(&mut of_peer)),
            serial: None,
        })
    }

    pub(crate) fn finish(self) -> Vec<Row> {
        self.harness.finish()
    }
}

/// Whether two are equal.
pub(crate) fn equal<T: PartialEq>(one: &T, other: &T) -> bool {
    one == other
}

/// Whether two are equal but for what rounding in another order does.
pub(crate) fn near(one: &f32, other: &f32) -> bool {
    (one - other).abs() <= 1e-4 * one.abs().max(1.0)
}

/// Numbers from 0 to below 1 that follow no pattern.
pub(crate) fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (scrambled(i) >> 8) as f32 / (1 << 24) as f32).collect()
}

/// Bytes that follow no pattern.
pub(crate) fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (scrambled(i) >> 24) as u8).collect()
}

/// A number that looks like chance.
pub(crate) fn scrambled(i: usize) -> u32 {
    let x = (i as u32).wrapping_mul(0x9e37_79b9);
    let x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35)
}
