//! Probes on the device that `GRIDWRIGHT_DEVICE` names, against the host.

use std::hint::black_box;

use gridwright::prelude::*;

use crate::probe::{Family, TABLE};

pub(crate) type Result<T = ()> = std::result::Result<T, gridwright::Error>;

/// What kernels are launched with.
pub(crate) struct Arguments<'a> {
    pub(crate) stream: &'a Stream,
    pub(crate) n: u64,
    pub(crate) m: &'a Buffer<[u64; TABLE]>,
    pub(crate) x: &'a Buffer<[u64; 2]>,
}

/// Numbers at which something changes: of each width the ends, around the sign, and what has few bits.
const SPECIAL: [u64; 23] = [
    0,
    1,
    2,
    3,
    4,
    15,
    31,
    64,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7f_ffff,
    0x80_0000,
    0xff_fffe,
    0xff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 32,
    (1 << 32) + 3,
    u64::MAX,
];

/// What all threads have in common, one after the other.
const COMMON: [u64; 3] = [3, 40, 0x1_0000_0008];

/// A generator of Weyl's kind with a mix: any will do, as long as it's the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// As likely of few bits as of many.
    fn of_some_bits(&mut self) -> u64 {
        let bits = self.next() % 64;
        self.next() >> bits
    }
}

/// The pairs of all probes: special numbers crossed, quotients that are nearly whole, and any numbers.
pub(crate) fn pairs() -> Vec<[u64; 2]> {
    let mut numbers = Numbers(7);
    let mut pairs: Vec<_> = SPECIAL.iter().flat_map(|&a| SPECIAL.map(|b| [a, b])).collect();
    // Reported for divisions of few bits.
    pairs.extend([
        [0xbf_2758, 0xbf_2759],
        [0xe3_170d, 0xc32],
        [0xff_fffe, 15],
        [0x7f_fffe, 3],
        [0xffff_fe00, 0x300],
    ]);
    for _ in 0..256 {
        let divisor = (numbers.next() & 0xff_ffff) >> (numbers.next() % 23) | 1;
        let most = 0x100_0000 / divisor;
        let product = divisor * (most - numbers.next() % most.min(4));
        pairs.push([product.wrapping_sub(1), divisor]);
    }
    pairs.extend((0..234).map(|_| [numbers.of_some_bits(), numbers.of_some_bits()]));
    pairs
}

/// The table that kernels read.
pub(crate) fn table() -> [u64; TABLE] {
    let mut numbers = Numbers(9);
    std::array::from_fn(|_| numbers.of_some_bits())
}

/// A line for each function of a family whose kernel is wrong, with the first input.
pub(crate) fn wrong(family: &Family, device: &Device, stream: &Stream) -> Result<Vec<String>> {
    let (pairs, table) = (pairs(), table());
    let (x, m) = (stream.upload(&pairs)?, stream.upload(&[table])?);
    let mut lines = Vec::new();
    for (which, probe) in family.probes.iter().enumerate() {
        let right = black_box(probe.function);
        let launches = if probe.is_of_common { COMMON.len() } else { 1 };
        for n in COMMON.into_iter().take(launches) {
            let found = (family.launch)(device, which as u32, &Arguments { stream, n, m: &m, x: &x })?;
            let is_wrong = |&i: &usize| found[i] != right(pairs[i][0], pairs[i][1], n, &table);
            let all_wrong: Vec<_> = (0..pairs.len()).filter(is_wrong).collect();
            if let Some(&first) = all_wrong.first() {
                let ([a, b], name) = (pairs[first], probe.name);
                let (count, all) = (all_wrong.len(), pairs.len());
                let (found, right) = (found[first], right(a, b, n, &table));
                lines.push(format!(
                    "{name}({a:#x}, {b:#x}), n = {n:#x}: {found:#x} instead of {right:#x}; {count} of {all} are wrong"
                ));
                break;
            }
        }
    }
    Ok(lines)
}

/// The device to test.
pub(crate) fn device() -> Result<Device> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        None => Device::cpu(),
        Some(_) => Device::from_env(),
    }
}
