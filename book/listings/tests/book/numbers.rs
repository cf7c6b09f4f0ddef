//! Chapter "Numbers in kernels".

#[host_only]
use gridwright::Error;
use gridwright::int::U8x4;
use gridwright::prelude::*;

#[gpu_kernel(requires = a.len() == out.len() && b.len() == out.len())]
fn brightest(t: Thread, a: &[u32], b: &[u32], mut out: PerThread<[u32]>) {
    if let Some(out) = out.get_mut(t) {
        let (a, b) = (U8x4::from_bits(a[t.index()]), U8x4::from_bits(b[t.index()]));
        // ANCHOR: select
        let brighter = a.lanes_gt(b).select(a, b);
        // ANCHOR_END: select
        *out = brighter.to_bits();
    }
}

#[test]
fn listings_run() -> Result<(), Error> {
    let device = crate::device()?;
    let mut out = [0];
    let config = LaunchConfig::threads(1);
    let arguments = (&[0x01ff_0380], &[0x02fe_0490], Out(&mut out));
    brightest::load(&device)?.run(&device, config, arguments)?;
    assert_eq!(out, [0x02ff_0490]);
    Ok(())
}
