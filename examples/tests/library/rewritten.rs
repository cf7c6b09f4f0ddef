//! Expressions that releases of NVIDIA's ptxas compile wrong, and that builds therefore write in another form of PTX.

use gridwright::prelude::*;

/// How many results a thread has.
const RESULTS: usize = 12;

/// What ptxas takes for something else.
fn values(a: u64, b: u64) -> [u64; RESULTS] {
    let (word, other, third) = (a as i32, b as i32, (a >> 32) as i32);
    let half = a as i16;
    [
        (a << 31).wrapping_sub(a >> 33),
        (b >> 32).wrapping_sub(b << 32),
        (a << 8).wrapping_add(((a as i64) >> 56) as u64),
        half.wrapping_neg() as i64 as u64,
        half.wrapping_abs() as i32 as u64,
        u64::from(half.wrapping_neg() > b as i16),
        (half.wrapping_neg() / 7) as u64,
        (a as i8).wrapping_neg() as i64 as u64,
        word.max(other.wrapping_neg()).max(third) as u64,
        word.wrapping_neg().min(other.wrapping_neg()).min(third.wrapping_neg()) as u64,
        half.wrapping_neg().max(b as i16).max(third as i16) as u64,
        word.saturating_sub(i32::MIN) as u64,
    ]
}

#[gpu_kernel(requires = x.len() == y.len())]
fn rewritten(t: Thread, x: &[[u64; 2]], mut y: PerThread<[[u64; RESULTS]]>) {
    let Some(y) = y.get_mut(t) else { return };
    let [a, b] = x[t.index()];
    *y = values(a, b);
}

/// The bits of 1.0 on one way, and all ones on the other, which does something else as well.
#[gpu_kernel(requires = x.len() == y.len())]
fn ones(t: Thread, x: &[u32], mut y: PerThread<[[u32; 2]]>) {
    let Some(y) = y.get_mut(t) else { return };
    let mut value = 1.0_f32.to_bits();
    if x[t.index()] != 42 {
        value = u32::MAX;
        y[1] = 7;
    }
    y[0] = value;
}

#[cfg(not(gridwright_device))]
mod tests {
    use std::hint::black_box;

    use gridwright::prelude::*;

    use super::{RESULTS, ones, rewritten, values};
    use crate::{device, ptx};

    const SPECIAL: [u64; 12] = [
        0,
        1,
        42,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0x1234_5678_9abc_def0,
    ];

    #[test]
    fn what_ptxas_takes_for_something_else_is_right() -> Result<(), gridwright::Error> {
        let x: Vec<[u64; 2]> = SPECIAL.iter().flat_map(|&a| SPECIAL.map(|b| [a, b])).collect();
        let device = device()?;
        let stream = device.stream()?;
        let given = stream.upload(&x)?;
        let mut results = stream.alloc_zeroed::<[u64; RESULTS]>(x.len())?;
        rewritten::load(&device)?.launch(&stream, LaunchConfig::threads(x.len()), (&given, &mut results))?;
        let results = stream.download(&results)?;
        for (&[a, b], result) in x.iter().zip(&results) {
            assert_eq!(*result, values(black_box(a), black_box(b)), "{a:#x}, {b:#x}");
        }
        Ok(())
    }

    #[test]
    fn all_ones_are_told_from_one() -> Result<(), gridwright::Error> {
        let device = device()?;
        let stream = device.stream()?;
        let given = stream.upload(&[41, 42, 43])?;
        let mut results = stream.alloc_zeroed::<[u32; 2]>(3)?;
        ones::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&given, &mut results))?;
        assert_eq!(stream.download(&results)?, [[u32::MAX, 7], [0x3f80_0000, 0], [u32::MAX, 7]]);
        Ok(())
    }

    #[test]
    fn the_ptx_has_none_of_the_forms() {
        let (Some(text), Some(other)) = (ptx::entry("rewritten"), ptx::entry("ones")) else { return };
        for form in ["neg.s16", "abs.s16", "sub.sat", "sub.s64", "\tneg.s32 \t%r"] {
            assert!(!text.contains(form), "{form}: {text}");
        }
        assert!(text.contains("sub.cc.u32") && text.contains("add.cc.u32"), "{text}");
        assert!(other.contains("prmt.b32") && !other.contains("-1;"), "{other}");
    }
}
