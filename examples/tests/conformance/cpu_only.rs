//! What is the CPU's alone.
//!
//! - Kernels that launch kernels, by calls of the host: a GPU has no host to call. Nobody would do it on the CPU, where a kernel is
//!   plain Rust, but it must neither deadlock nor confuse whose thread and whose memory is whose.
//! - What workgroup memory holds before anyone writes it: the CPU puts the same bytes there for each group, and on a GPU it is what
//!   was there.

use gridwright::prelude::*;

use crate::setting::Result;

fn cpu() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

#[gpu_kernel]
fn inner(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = t.index() as u32;
    }
}

#[gpu_kernel]
fn outer(t: Thread, mut sums: PerThread<[u32]>) {
    let sum = || -> Result<u32> {
        let (device, stream) = cpu()?;
        let mut x = stream.alloc_zeroed::<u32>(3000)?;
        inner::load(&device)?.launch(&stream, LaunchConfig::threads(3000), (&mut x,))?;
        Ok(stream.download(&x)?.iter().sum())
    };
    if let (Some(to), Ok(sum)) = (sums.get_mut(t), sum()) {
        *to = sum;
    }
}

#[test]
fn a_kernel_may_launch_another() -> Result {
    let (device, stream) = cpu()?;
    let mut sums = stream.alloc_zeroed::<u32>(2000)?;
    outer::load(&device)?.launch(&stream, LaunchConfig::threads(2000), (&mut sums,))?;
    assert_eq!(stream.download(&sums)?, [2999 * 3000 / 2; 2000]);
    Ok(())
}

#[gpu_kernel(block = 32)]
fn sum_of_32(g: &Group, x: &[u32], mut out: PerGroup<[u32]>, mut w: Workgroup<[u32; 32]>) {
    g.load(&mut w, x, g.origin().x);
    let sum = g.reduce(&g.map(w.elements(), |_, x| *x), |a, b| a + b);
    out.set(g, sum);
}

#[gpu_kernel(block = 4)]
fn launching(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32; 4]>) {
    let mut mine = g.private(7);
    g.each((w.elements_mut(), &mut mine), |_, (w, mine)| {
        let sum = || -> Result<u32> {
            let (device, stream) = cpu()?;
            let (x, mut out) = (stream.upload(&[3; 64])?, stream.alloc_zeroed::<u32>(2)?);
            sum_of_32::load(&device)?.launch(&stream, LaunchConfig::threads(64), (&x, &mut out))?;
            Ok(stream.download(&out)?.iter().sum())
        };
        *w = sum().unwrap();
        *mine += 1;
    });
    g.each((w.elements(), &mine, out.elements_mut()), |_, (w, mine, out)| {
        if let Some(out) = out {
            *out = *w + *mine;
        }
    });
}

#[test]
fn a_group_kernel_may_launch_another() -> Result {
    let (device, stream) = cpu()?;
    let mut out = stream.alloc_zeroed::<u32>(40)?;
    launching::load(&device)?.launch(&stream, LaunchConfig::threads(40), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [192 + 8; 40]);
    Ok(())
}

#[gpu_kernel(block = 32)]
fn unwritten(
    g: &Group,
    mut out: PerThread<[[u32; 3]]>,
    mut w: Workgroup<[u32]>,
    mut fixed: Workgroup<[f32; 32]>,
) {
    g.each((w.elements(), fixed.elements(), w.shared(), out.elements_mut()), |_, (slot, float, all, out)| {
        if let Some(out) = out {
            let same = all.iter().filter(|&&slot| slot == u32::MAX).count();
            *out = [*slot, u32::from(float.is_nan()), same as u32];
        }
    });
    g.each((w.elements_mut(), fixed.elements_mut()), |_, (slot, float)| (*slot, *float) = (1, 1.0));
}

#[test]
fn no_group_sees_what_another_left() -> Result {
    let (device, stream) = cpu()?;
    let kernel = unwritten::load(&device)?;
    for len in [32, 33, 5000] {
        let mut out = stream.alloc_zeroed::<[u32; 3]>(3200)?;
        kernel.launch(&stream, LaunchConfig::grid(100, 32).workgroup::<u32>(len), (&mut out,))?;
        assert_eq!(stream.download(&out)?, vec![[u32::MAX, 1, len as u32]; 3200]);
    }
    Ok(())
}
